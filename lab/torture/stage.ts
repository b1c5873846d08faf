import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import type pg from 'pg'
import { OPERATOR_KEY } from '../service-process.ts'
import type { ServiceNode } from './node.ts'
import { openPair } from './pair.ts'
import type { TcpProxy } from './proxy.ts'
import { openEmbedded, openThree, type Servers } from './servers.ts'
import { startSubscriber } from './subscriber.ts'

/** What a fault happens to. */
export interface Stage {
  readonly dir: string
  readonly nodes: readonly ServiceNode[]
  /** Between the nodes and their database; null where the node has its own. */
  readonly proxy: TcpProxy | null
  /** Of the database server as it runs now. */
  databasePid(): number
  readonly apiKey: string
  readonly agentIds: readonly string[]
  /** Whether the webhook about an event has arrived. */
  isDelivered(eventId: string): boolean
  /** Past the proxy. Opened when it is asked for: a fault may have ended an earlier one. */
  connect(): Promise<pg.Pool>
  /** Kills the primary and promotes its standby; null without a standby. */
  readonly failOver: (() => Promise<void>) | null
  close(): Promise<void>
}

export interface StageOptions {
  /** Where the data lies; a temporary directory by default. */
  readonly dir?: string
  /**
   * One node with its embedded database, or three nodes that share one behind a proxy: one server, or a
   * primary with its standby.
   */
  readonly nodes: 'embedded' | 'three' | 'pair'
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
}

/** Few, so that most reports wait for another about the same agent. */
const AGENTS = 6

const OPENINGS = { embedded: openEmbedded, three: openThree, pair: openPair } as const

const PASSWORD = 'correct horse battery staple'

export async function openStage(options: StageOptions): Promise<Stage> {
  const open = OPENINGS[options.nodes]
  const ending: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of ending.splice(0).reverse()) {
      await end()
    }
  }
  try {
    const dir = options.dir ?? (await temporary(ending))
    const servers = await open({ dir, env: options.env ?? {}, nodeArgs: options.nodeArgs ?? [] })
    ending.push(() => servers.close())
    const subscriber = await startSubscriber()
    ending.push(() => subscriber.close())
    ending.push(() => endAll(servers))
    await Promise.all(servers.nodes.map((node) => node.start()))
    const enrolled = await enroll(servers.nodes[0]?.url ?? '', subscriber.url)
    const { isDelivered } = subscriber
    return { ...servers, ...enrolled, dir, isDelivered, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function temporary(ending: (() => Promise<unknown>)[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'standing-torture-'))
  ending.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

function endAll({ nodes }: Servers): Promise<unknown> {
  return Promise.all(nodes.map((node) => node.end('SIGTERM')))
}

/** A platform that reports, agents, and a subscription to all that happens to them. */
async function enroll(baseUrl: string, subscriberUrl: string) {
  const operator = new Standing({ baseUrl, operatorKey: OPERATOR_KEY })
  const platform = await operator.operator.createPlatform({ name: 'platform', verified: true })
  const { owner, token } = await operator.auth.register({
    email: 'ada@example.com',
    password: PASSWORD,
  })
  await operator.operator.setOwnerTier(owner.id, 'platform')
  const its = new Standing({ baseUrl, token })
  await its.webhooks.create({ url: subscriberUrl, events: ['*'] })
  const agentIds: string[] = []
  for (let i = 0; i < AGENTS; i++) {
    agentIds.push((await its.agents.register({ displayName: `agent ${i}` })).id)
  }
  return { apiKey: platform.apiKey, agentIds }
}
