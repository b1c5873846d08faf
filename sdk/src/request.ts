import type { Call } from './call.ts'
import { chosen } from './credentials.ts'
import { invalidCall } from './error.ts'
import type { FetchRequest } from './fetch.ts'
import { isTestKey } from './keys.ts'
import type { Settings } from './settings.ts'
import { VERSION } from './version.ts'
import { newIdempotencyKey } from './web-crypto.ts'

/** A browser names itself, and one that lets a page do so asks the service for permission first. */
const USER_AGENT =
  typeof process === 'object' && process.versions?.node ? `standing-sdk/${VERSION}` : undefined

/** What every attempt of a call sends. */
export async function requestOf(
  { credentials, mode }: Pick<Settings, 'credentials' | 'mode'>,
  call: Call,
): Promise<Omit<FetchRequest, 'signal'>> {
  // A plain object: to load Node's `Headers` takes longer than the rest of a short program.
  const headers: Record<string, string> = { accept: 'application/json' }
  if (USER_AGENT) {
    headers['user-agent'] = USER_AGENT
  }
  const kind = chosen(credentials, call.as, isTest({ credentials, mode }))
  if (kind === 'token') {
    headers.authorization = `Bearer ${credentials.token}`
  } else if (kind !== undefined) {
    headers['x-api-key'] = String(credentials[kind])
  }
  // Also without a credential: the service then refuses, where it would answer about live data.
  if (mode && !OF_ACCOUNT.test(call.path)) {
    headers['standing-mode'] = mode
  }
  if (call.stream) {
    headers.accept = 'text/event-stream'
    if (call.stream.lastEventId !== undefined) {
      headers['last-event-id'] = call.stream.lastEventId
    }
  }
  if (call.write) {
    headers['idempotency-key'] = await idempotencyKeyOf(call)
  }
  const request = { method: call.method, headers, redirect: 'manual' } as const
  if (call.body === undefined) {
    return request
  }
  headers['content-type'] = 'application/json'
  return { ...request, body: bodyOf(call) }
}

/** An account has one set of people and keys for both modes. */
const OF_ACCOUNT = /^\/v1\/(auth|members|invitations|keys)(\/|$)/

/** Test data is not public: what anyone may read of live data takes a credential there. */
function isTest({ credentials, mode }: Pick<Settings, 'credentials' | 'mode'>): boolean {
  return mode === 'test' || isTestKey(credentials.apiKey ?? '')
}

async function idempotencyKeyOf({ options }: Call): Promise<string> {
  // 128 random bits.
  const key = options?.idempotencyKey ?? (await newIdempotencyKey())
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalidCall('idempotencyKey is not 1 to 255 visible ASCII characters')
  }
  return key
}

function bodyOf({ body }: Call): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    throw invalidCall(`the body cannot be written as JSON: ${(cause as Error).message}`)
  }
}
