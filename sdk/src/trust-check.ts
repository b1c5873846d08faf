import type { Standing } from './client.ts'
import { isTransient, StandingError } from './error.ts'
import { TIMER_MAX_MS } from './timer.ts'
import type { Decision, DecisionRequest, PolicyInput, Verdict } from './types.ts'

/** A request as every framework has one. */
export interface TrustRequest {
  readonly headers: { get(name: string): string | null }
  /** The framework's own request. */
  readonly raw: unknown
}

export interface TrustOptions {
  /** Asks for the decisions: with a platform's key, or one of an owner. */
  readonly client: Standing
  /**
   * The agent that made the request: its id or an identifier; null where it is not known. Take it from
   * what you have verified (a signature, a session, a header that only your gateway can set): a client can
   * write any name into a header.
   */
  readonly agentOf: (request: TrustRequest) => string | null | Promise<string | null>
  /** Agents below this score are denied. */
  readonly min?: number
  readonly confidence?: PolicyInput['minConfidence']
  readonly unknown?: Verdict
  readonly disputed?: Verdict
  /** A stored policy, in place of `min`, `confidence`, `unknown` and `disputed`. */
  readonly policy?: string
  /** What is to be done: names a stored policy, where none of the fields above is given. */
  readonly action?: string
  /** Whether `review` lets a request pass or refuses it: a program has no person to ask. Default: `deny`. */
  readonly review?: 'allow' | 'deny'
  /** What happens when Standing cannot be asked. Default: `deny`, with 503. */
  readonly whenAway?: 'allow' | 'deny'
  /** How long a request waits for a decision. Default: 1000; Infinity for as long as the client does. */
  readonly timeoutMs?: number
  /** How long a decision is used again, at most until it expires. Default: 60000; 0 for never. */
  readonly cacheMs?: number
}

/** Whether a request may go on. The decision is null where none could be made. */
export type TrustResult =
  | { readonly passes: true; readonly decision: Decision | null }
  | { readonly passes: false; readonly status: 403 | 503; readonly body: TrustRefusal }

export interface TrustRefusal {
  readonly error: {
    readonly code: 'FORBIDDEN' | 'SERVICE_UNAVAILABLE'
    readonly message: string
    readonly details: { readonly reasons: Decision['reasons'] }
  }
}

interface Cached {
  readonly decision: Promise<Decision>
  readonly until: number
}

/** Some hundred bytes each. */
const CACHED_MAX = 10_000

const DEFAULTS = { timeoutMs: 1_000, cacheMs: 60_000 }

/** Decides on requests. A wrong key or policy is an error that it throws, and never a permission. */
export function createTrustCheck(
  options: TrustOptions,
): (request: TrustRequest) => Promise<TrustResult> {
  const { client, agentOf, review = 'deny', whenAway = 'deny' } = options
  const cached = new Map<string, Cached>()

  function ask(agent: string): Promise<Decision> {
    const now = Date.now()
    const known = cached.get(agent)
    if (known && known.until > now) {
      return known.decision
    }
    const { timeoutMs = DEFAULTS.timeoutMs, cacheMs = DEFAULTS.cacheMs } = options
    const signal = AbortSignal.timeout(Math.min(timeoutMs, TIMER_MAX_MS))
    const decision = client.decisions.decide(requestOf(agent, options), { signal })
    if (cacheMs > 0) {
      keep(agent, { decision, until: now + timeoutMs })
      decision.then(
        ({ expiresAt }) =>
          keep(agent, { decision, until: Math.min(now + cacheMs, Date.parse(expiresAt)) }),
        () => cached.get(agent)?.decision === decision && cached.delete(agent),
      )
    }
    return decision
  }

  function keep(agent: string, entry: Cached): void {
    cached.delete(agent)
    cached.set(agent, entry)
    const [oldest] = cached.keys()
    if (cached.size > CACHED_MAX && oldest !== undefined) {
      cached.delete(oldest)
    }
  }

  return async (request) => {
    const agent = await agentOf(request)
    if (agent === null || agent === '') {
      return passes(options.unknown ?? 'deny', review)
        ? { passes: true, decision: null }
        : refused([{ code: 'agent_unknown', message: 'the request names no agent' }])
    }
    try {
      const decision = await ask(agent)
      return passes(decision.decision, review)
        ? { passes: true, decision }
        : refused(decision.reasons)
    } catch (error) {
      if (!isAway(error)) {
        throw error
      }
      return whenAway === 'allow' ? { passes: true, decision: null } : AWAY
    }
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function requestOf(agent: string, options: TrustOptions): DecisionRequest {
  const { min, confidence, unknown, disputed, action } = options
  const fields = [min, confidence, unknown, disputed]
  const inline = {
    ...(min === undefined ? {} : { minScore: min }),
    ...(confidence === undefined ? {} : { minConfidence: confidence }),
    ...(unknown === undefined ? {} : { unknown }),
    ...(disputed === undefined ? {} : { disputed }),
  }
  const policy =
    options.policy ?? (fields.some((field) => field !== undefined) ? inline : undefined)
  return {
    ...(UUID.test(agent) ? { agentId: agent } : { identifier: agent }),
    ...(action === undefined ? {} : { action }),
    ...(policy === undefined ? {} : { policy }),
  }
}

function passes(verdict: Verdict, review: 'allow' | 'deny'): boolean {
  return verdict === 'allow' || (verdict === 'review' && review === 'allow')
}

function refused(reasons: Decision['reasons']): TrustResult {
  const message = reasons.map((reason) => reason.message).join('; ')
  const error = { code: 'FORBIDDEN', message, details: { reasons } } as const
  return { passes: false, status: 403, body: { error } }
}

const AWAY: TrustResult = {
  passes: false,
  status: 503,
  body: {
    error: {
      code: 'SERVICE_UNAVAILABLE',
      message: 'whether the agent can be trusted cannot be found out now; retry',
      details: { reasons: [] },
    },
  },
}

/** Whether the service could not be asked in time. */
function isAway(error: unknown): boolean {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError'
  return isTimeout || (error instanceof StandingError && isTransient(error))
}
