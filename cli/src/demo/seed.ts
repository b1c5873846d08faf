import { Standing, type StandingOptions } from '@standing/sdk'
import { pause } from '../../../src/lib/pause.ts'
import { furnish } from './furnish.ts'
import { pastLines } from './past.ts'
import { MARKETS, type Market, OWNERS, PASSWORD, STORIES } from './stories.ts'

export interface Seeded {
  readonly agents: ReadonlyMap<string, string>
  readonly agentKey: string
  readonly platformKey: string
  readonly credentialId: string
}

export interface SeedOptions {
  readonly url: string
  readonly operatorKey: string
  readonly now: number
  /** Says what is being done. */
  readonly progress: (text: string) => void
  /** Aborted when nothing more is to be done. */
  readonly stopped: AbortSignal
}

/**
 * Fills a new service with a year of several agents, and something on every page.
 *
 * @throws where it is stopped before all is done
 */
export async function seed(options: SeedOptions): Promise<Seeded> {
  const { url, operatorKey, now, progress, stopped } = options
  progress('registering owners, platforms and agents')
  const anyone = new Standing({ baseUrl: url, ...endingWith(stopped) })
  const operator = anyone.with({ operatorKey })
  const owners = await registerOwners(anyone)
  const platforms = await admitPlatforms(operator)
  const agents = await registerAgents(owners)
  progress('importing a year of events')
  const idsOf = <K>(all: ReadonlyMap<K, { readonly id: string }>) =>
    new Map([...all].map(([name, { id }]) => [name, id]))
  const ids = { agents: idsOf(agents), platforms: idsOf(platforms) }
  await importPast(options, pastLines(ids, now))
  progress('reporting today, and reviewing what is suspicious')
  const clients = new Map(
    [...platforms].map(([market, { apiKey }]) => [market, anyone.with({ apiKey })]),
  )
  const credentialId = await furnish({ operator, owners, platforms: clients, agents: ids.agents })
  return {
    agents: ids.agents,
    agentKey: agents.get('Atlas Invoicing')?.apiKey ?? '',
    platformKey: platforms.get('northwind')?.apiKey ?? '',
    credentialId,
  }
}

export type Owners = ReadonlyMap<keyof typeof OWNERS, Standing>

/** Of clients whose calls, and their repeats, end when the signal is aborted. */
function endingWith(stopped: AbortSignal): Pick<StandingOptions, 'fetch' | 'wait'> {
  return {
    fetch: (url, request) =>
      fetch(url, { ...request, signal: AbortSignal.any([request.signal, stopped]) }),
    wait: async (ms) => {
      await pause(ms, stopped)
      stopped.throwIfAborted()
    },
  }
}

async function registerOwners(anyone: Standing): Promise<Owners> {
  const all = Object.entries(OWNERS) as [keyof typeof OWNERS, (typeof OWNERS)['ada']][]
  return new Map(
    await Promise.all(
      all.map(async ([key, { email, name }]) => {
        const { token } = await anyone.auth.register({ email, name, password: PASSWORD })
        return [key, anyone.with({ token })] as const
      }),
    ),
  )
}

async function admitPlatforms(operator: Standing) {
  const all = Object.entries(MARKETS) as [Market, { name: string; verified: boolean }][]
  return new Map(
    await Promise.all(
      all.map(
        async ([market, input]) => [market, await operator.operator.createPlatform(input)] as const,
      ),
    ),
  )
}

async function registerAgents(owners: Owners) {
  const agents = new Map<string, { readonly id: string; readonly apiKey: string }>()
  for (const { name, owner, lesson, isPublic = false } of STORIES) {
    const client = owners.get(owner)
    const agent = await client?.agents.register({ displayName: name, metadata: { lesson } })
    if (agent && isPublic) {
      await client?.agents.update(agent.id, { publicProfile: true })
    }
    if (agent) {
      agents.set(name, agent)
    }
  }
  return agents
}

async function importPast(
  { url, operatorKey, stopped: signal }: SeedOptions,
  lines: string,
): Promise<void> {
  const response = await fetch(`${url}/v1/operator/imports?name=demo`, {
    method: 'POST',
    headers: { 'x-api-key': operatorKey, 'content-type': 'application/x-ndjson' },
    body: lines,
    signal,
  })
  if (!response.ok) {
    throw new Error(`the past could not be imported: ${await response.text()}`)
  }
  await response.text()
}
