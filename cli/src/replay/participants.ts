import { createHash, createHmac } from 'node:crypto'
import { Standing, StandingError, type StandingOptions } from '@standing/sdk'
import { HOUR_MS } from '../../../src/domain/time.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import type { ReplayOptions } from './options.ts'
import type { Retry } from './retry.ts'

/** The owner, the platforms and the agents of a run. */
export interface Participants {
  /** When the run was started first, by the service's clock, in milliseconds since the epoch. */
  readonly anchor: number
  readonly owner: Standing
  readonly platforms: readonly Standing[]
  /** Registers the agent if the run has none of that name yet. */
  readonly agentIdOf: (name: string) => Promise<string>
}

/** Idempotency keys expire after 24 hours; events may be 30 days old, of which the stream fills 29. */
const RUN_MS = 23 * HOUR_MS

/** The service's limit. */
const DISPLAY_NAME_MAX = 100

/**
 * Everything is derived from the name of the run, so that a repeat finds the same owner, platforms and
 * agents: the owner by e-mail address, platforms and agents by Idempotency-Key.
 */
export async function openParticipants(
  options: ReplayOptions,
  platformCount: number,
  retry: Retry,
): Promise<Participants> {
  const { operatorKey, run } = options
  const operator = clientOf(options, { operatorKey })
  const { session, isNew } = await openOwner(options, retry)
  const anchor = Date.parse(session.owner.createdAt)
  if (Date.now() - anchor > RUN_MS) {
    throw new UserError(`The run ${run} started more than 23 hours ago: choose another --run name.`)
  }
  await retry(() => operator.operator.setOwnerTier(session.owner.id, 'platform'))
  const owner = clientOf(options, { token: session.token })
  const platforms: Standing[] = []
  for (let n = 1; n <= platformCount; n++) {
    const idempotencyKey = digest('platform', run, String(n))
    const { apiKey } = await retry(() =>
      operator.operator.createPlatform(
        { name: `${run} ${n}`, tier: 'platform', verified: true },
        { idempotencyKey },
      ),
    )
    platforms.push(clientOf(options, { apiKey }))
  }
  const known = isNew ? new Map<string, string>() : await retry(() => agentsOf(owner))
  return { anchor, owner, platforms, agentIdOf: createRegistry(run, owner, known, retry) }
}

/** By the SDK's own retries: many events are on their way. */
function clientOf({ url: baseUrl, fetch }: ReplayOptions, credentials: StandingOptions): Standing {
  return new Standing({ baseUrl, fetch, ...credentials })
}

async function openOwner(options: ReplayOptions, retry: Retry) {
  const { run, operatorKey } = options
  const anyone = clientOf(options, {})
  const email = `replay-${digest('owner', run).slice(0, 24)}@example.com`
  // It cannot be guessed without the operator key, and a repeated run can derive it again.
  const password = createHmac('sha256', operatorKey).update(`replay ${run}`).digest('hex')
  const input = { email, password, name: `Replay ${run}` }
  try {
    return { session: await retry(() => anyone.auth.register(input)), isNew: true }
  } catch (error) {
    if (!(error instanceof StandingError && error.code === 'CONFLICT')) {
      throw error
    }
  }
  try {
    return { session: await retry(() => anyone.auth.login({ email, password })), isNew: false }
  } catch (error) {
    if (!(error instanceof StandingError && error.status === 401)) {
      throw error
    }
    throw new UserError(`The run ${run} was started with another operator key.`)
  }
}

/** The ids of the owner's agents by their names in the file. */
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
  retry: Retry,
): Participants['agentIdOf'] {
  const ids = new Map<string, string>(known)
  return async (name) => {
    const old = ids.get(name)
    if (old !== undefined) {
      return old
    }
    const input = { displayName: cut(name), metadata: { replayOf: name } }
    const idempotencyKey = digest('agent', run, name)
    const agent = await retry(() => owner.agents.register(input, { idempotencyKey }))
    ids.set(name, agent.id)
    return agent.id
  }
}

/** By code points, so that no character is cut in half. */
function cut(name: string): string {
  return name.length <= DISPLAY_NAME_MAX ? name : [...name].slice(0, DISPLAY_NAME_MAX).join('')
}

export function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
