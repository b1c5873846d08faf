import { createHash, createHmac } from 'node:crypto'
import { Standing, StandingError } from '@standing/sdk'
import { ReplayError } from './error.ts'
import type { ReplayOptions } from './options.ts'
import type { Patience } from './patience.ts'

/** Who takes part in a run: its owner, its platforms, and its agents as they come up. */
export interface Cast {
  /** Milliseconds since the epoch: the time the run began first, by the service's clock. */
  readonly anchor: number
  readonly owner: Standing
  readonly platforms: readonly Standing[]
  /** Registers the agent where the run has none of that name yet. */
  readonly agentIdOf: (name: string) => Promise<string>
}

/** Idempotency keys live 24 hours, and events may lie 30 days back of which the stream fills 29. */
const RUN_MS = 23 * 3_600_000

const DISPLAY_NAME_MAX = 100

/**
 * Everyone is derived from the run's name, so that a repeat meets the same owner, platforms and
 * agents: the owner by his e-mail, platforms and agents by their Idempotency-Keys.
 */
export async function assemble(
  options: ReplayOptions,
  platformCount: number,
  patience: Patience,
): Promise<Cast> {
  const { url: baseUrl, operatorKey, run } = options
  const operator = new Standing({ baseUrl, operatorKey })
  const { session, isNew } = await openOwner(options, patience)
  const anchor = Date.parse(session.owner.createdAt)
  if (Date.now() - anchor > RUN_MS) {
    throw new ReplayError(`The run ${run} began more than 23 hours ago: give another --run name.`)
  }
  await patience(() => operator.operator.setOwnerTier(session.owner.id, 'platform'))
  const owner = new Standing({ baseUrl, token: session.token })
  const platforms: Standing[] = []
  for (let n = 1; n <= platformCount; n++) {
    const idempotencyKey = digest('platform', run, String(n))
    const { apiKey } = await patience(() =>
      operator.operator.createPlatform(
        { name: `${run} ${n}`, tier: 'platform' },
        { idempotencyKey },
      ),
    )
    platforms.push(new Standing({ baseUrl, apiKey }))
  }
  const known = isNew ? new Map<string, string>() : await patience(() => agentsOf(owner))
  return { anchor, owner, platforms, agentIdOf: createRegistry(run, owner, known, patience) }
}

async function openOwner({ url, run, operatorKey }: ReplayOptions, patience: Patience) {
  const anyone = new Standing({ baseUrl: url })
  const email = `replay-${digest('owner', run).slice(0, 24)}@example.com`
  // No one else can guess it, and a repeat needs no file to remember it.
  const password = createHmac('sha256', operatorKey).update(`replay ${run}`).digest('hex')
  const input = { email, password, name: `Replay ${run}` }
  try {
    return { session: await patience(() => anyone.auth.register(input)), isNew: true }
  } catch (error) {
    if (!(error instanceof StandingError && error.code === 'CONFLICT')) {
      throw error
    }
  }
  try {
    return { session: await patience(() => anyone.auth.login({ email, password })), isNew: false }
  } catch (error) {
    if (!(error instanceof StandingError && error.status === 401)) {
      throw error
    }
    throw new ReplayError(`The run ${run} was begun with another operator key.`)
  }
}

/** The ids of the owner's agents by their names in the stream. */
async function agentsOf(owner: Standing): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for await (const { id, metadata } of owner.agents.list({ limit: 100 })) {
    if (typeof metadata.replayOf === 'string') {
      ids.set(metadata.replayOf, id)
    }
  }
  return ids
}

function createRegistry(
  run: string,
  owner: Standing,
  known: ReadonlyMap<string, string>,
  patience: Patience,
): Cast['agentIdOf'] {
  const ids = new Map<string, string>(known)
  return async (name) => {
    const old = ids.get(name)
    if (old !== undefined) {
      return old
    }
    const input = { displayName: cut(name), metadata: { replayOf: name } }
    const idempotencyKey = digest('agent', run, name)
    const agent = await patience(() => owner.agents.register(input, { idempotencyKey }))
    ids.set(name, agent.id)
    return agent.id
  }
}

/** By code points, so that no character is cut in two. */
function cut(name: string): string {
  return name.length <= DISPLAY_NAME_MAX ? name : [...name].slice(0, DISPLAY_NAME_MAX).join('')
}

export function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
