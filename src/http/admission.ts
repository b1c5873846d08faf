import type { Caller } from '../domain/caller.ts'
import { TrustError } from '../domain/error.ts'
import { type Awaitable, andThen } from '../lib/awaitable.ts'
import { StoreUnavailable } from '../store/store.ts'
import { type Authenticate, authenticated } from './authentication.ts'
import type { LimitDecision, RequestLimits } from './limits.ts'
import type { Request } from './request.ts'

/**
 * What a request counts against: its caller, its address (no credential is read), or nothing. One that
 * is `counted` counts against its caller and is served even if nothing is left.
 */
export type AdmissionRule = 'caller' | 'counted' | 'address' | 'unmetered'

export interface AdmissionOptions {
  readonly authenticate: Authenticate
  readonly limits: RequestLimits
  readonly addressOf: (request: Request) => string
}

/** The caller of a request, and whether it is served. */
export interface Admission {
  readonly caller: Caller
  readonly address: string
  /** What the response says about the caller's limit; null for a caller without one. */
  readonly limit: LimitDecision | null
  /** Why the request is refused; null when it is let in. */
  readonly refusal: TrustError | null
}

export function admit(
  options: AdmissionOptions,
  rule: AdmissionRule,
  request: Request,
): Awaitable<Admission> {
  const { limits } = options
  const address = options.addressOf(request)
  const anonymous: Caller = { kind: 'anonymous', address }
  if (rule === 'unmetered') {
    return admission(anonymous, address, limits.lastKnown(anonymous))
  }
  if (rule === 'address') {
    return countPage(limits, anonymous).then((limit) => admission(anonymous, address, limit))
  }
  return andThen(authenticated(request.headers, options.authenticate), (found) => {
    const caller = found ?? anonymous
    if (!(caller instanceof TrustError)) {
      return andThen(limits.count(caller), (limit) => {
        const admitted = admission(caller, address, limit)
        const isServed = rule === 'counted' && caller.kind !== 'anonymous'
        return isServed ? { ...admitted, refusal: null } : admitted
      })
    }
    // Invalid credentials count for the address, so that guessing keys is limited.
    return andThen(limits.count(anonymous), (limit) => ({
      ...admission(anonymous, address, limit),
      refusal: exceeded(limit, anonymous) ?? caller,
    }))
  })
}

function admission(caller: Caller, address: string, limit: LimitDecision | null): Admission {
  return { caller, address, limit, refusal: exceeded(limit, caller) }
}

/**
 * Pages need no database, and explain errors: while it is unavailable they are served without
 * counting.
 */
async function countPage(limits: RequestLimits, caller: Caller): Promise<LimitDecision | null> {
  try {
    return await limits.count(caller)
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      return limits.lastKnown(caller)
    }
    throw error
  }
}

function exceeded(limit: LimitDecision | null, caller: Caller): TrustError | null {
  if (!limit || limit.allowed) {
    return null
  }
  return new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `more than ${limit.limit} requests in a minute; wait ${limit.resetSeconds} s${wayToMore(caller)}`,
    { limit: 'requests_per_minute', max: limit.limit },
    limit.resetSeconds,
  )
}

function wayToMore(caller: Caller): string {
  switch (caller.kind) {
    case 'anonymous':
      return ', or send a key: each account has a limit of its own'
    case 'operator':
      return ''
    default:
      return caller.tier === 'platform' ? '' : ', or ask the operator for a larger tier'
  }
}
