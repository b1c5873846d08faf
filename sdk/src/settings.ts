import { credentialsOf } from './credentials.ts'
import { readEnvironment } from './environment.ts'
import { invalidCall } from './error.ts'
import type { CredentialOptions, StandingOptions } from './options.ts'
import { RETRY_POLICY, type RetryPolicy } from './retry.ts'
import { baseUrlOf } from './url.ts'

/** The options as a client uses them. */
export interface Settings extends StandingOptions {
  readonly baseUrl: string
  readonly credentials: CredentialOptions
  readonly timeoutMs: number
  readonly policy: RetryPolicy
}

// Above the service's own statement and queue timeouts, so that it answers before the client gives up.
const TIMEOUT_MS = 30_000
const DEFAULT_URL = 'http://127.0.0.1:8080'

const CREDENTIALS = ['apiKey', 'token', 'operatorKey'] as const
const NUMBERS = ['timeoutMs', 'retryForMs', 'retriesMax', 'retryAfterMaxMs'] as const
const OTHERS = ['baseUrl', 'mode', 'signingKey', 'fetch', 'onWait', 'wait'] as const
const NAMES: readonly string[] = [...CREDENTIALS, ...NUMBERS, ...OTHERS]

/**
 * The options, with those of the environment where none are given.
 *
 * A key of the environment goes to the address of the environment alone, and only where the caller
 * names no credential: `new Standing({ baseUrl })` is anonymous. The operator's key is never taken
 * from there, because STANDING_OPERATOR_KEY is a setting of the service itself.
 */
export function withEnvironment(options: StandingOptions): StandingOptions {
  if (typeof options !== 'object' || options === null) {
    throw invalidCall("a client's options are an object, like { baseUrl: 'http://127.0.0.1:8080' }")
  }
  if (options.baseUrl !== undefined) {
    return options
  }
  const { STANDING_URL: baseUrl = DEFAULT_URL, ...keys } = readEnvironment()
  if (CREDENTIALS.some((name) => name in options)) {
    return { ...options, baseUrl }
  }
  return { ...options, baseUrl, apiKey: keys.STANDING_API_KEY, token: keys.STANDING_TOKEN }
}

/** @throws StandingError `INVALID_CALL`, which names the option that cannot be used and says why */
export function settingsOf(options: StandingOptions): Settings {
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) {
    throw invalidCall(`${unknown} is not an option: there are ${NAMES.join(', ')}`)
  }
  for (const name of NUMBERS) {
    checkNumber(name, options[name])
  }
  for (const name of ['fetch', 'onWait', 'wait'] as const) {
    const given = options[name]
    if (given !== undefined && typeof given !== 'function') {
      throw invalidCall(`${name} is not a function`)
    }
  }
  if (![undefined, 'live', 'test'].includes(options.mode)) {
    throw invalidCall(`mode is ${String(options.mode)}: it is live or test`)
  }
  return {
    ...options,
    baseUrl: baseUrlOf(options.baseUrl ?? DEFAULT_URL),
    credentials: credentialsOf(options),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    policy: {
      retriesMax: options.retriesMax ?? RETRY_POLICY.retriesMax,
      retryForMs: options.retryForMs ?? RETRY_POLICY.retryForMs,
      retryAfterMaxMs: options.retryAfterMaxMs ?? RETRY_POLICY.retryAfterMaxMs,
    },
  }
}

function checkNumber(name: (typeof NUMBERS)[number], given: unknown): void {
  if (given === undefined || (typeof given === 'number' && given >= 0)) {
    return
  }
  const unit = name === 'retriesMax' ? 'a number' : 'a number of milliseconds'
  throw invalidCall(`${name} is ${String(given)}: it takes ${unit}, 0 or more`)
}
