import { randomUUID } from 'node:crypto'
import { pause } from '../../../src/lib/pause.ts'
import type { HttpFetch } from '../http/fetch.ts'
import { jsonOf } from '../http/json.ts'
import { unanswered } from '../http/service-error.ts'
import { type Answer, Difference, idIn, JWT, succeeded, textIn } from './answer.ts'

export interface Call {
  readonly body?: unknown
  /** A body as it is sent, in place of `body`. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Send = (method: string, path: string, call?: Call) => Promise<Answer>

export interface Owner {
  readonly email: string
  readonly password: string
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Agent {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
}

/** A service under test, and ways to get what the interface says that one needs first. */
export interface World {
  readonly send: Send
  /** The headers of a platform; null where no key of one was given. */
  readonly platform: Readonly<Record<string, string>> | null
  readonly newOwner: () => Promise<Owner>
  readonly newAgent: (owner?: Owner) => Promise<Agent & { readonly owner: Owner }>
}

/** Above a window of one minute; a longer pause is a refusal. */
const PAUSE_MAX_SECONDS = 65

/** A call that takes longer is given up. */
const TIMEOUT_MS = 30_000

export interface WorldOptions {
  readonly url: string
  readonly platformKey: string | undefined
  readonly fetch: HttpFetch
  /** Says what is waited for. */
  readonly note: (text: string) => void
}

export function createWorld({ url, platformKey, fetch, note }: WorldOptions): World {
  const send: Send = async (method, path, call = {}) => {
    const once = () => sendOnce({ url, fetch }, { ...call, method, path })
    const answer = await once()
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
    // The suite makes more requests than some callers have in a minute; each rule of limits is separate.
    if (answer.status !== 429 || !(seconds <= PAUSE_MAX_SECONDS)) {
      return answer
    }
    note(`waiting ${seconds} s for a limit of requests`)
    await pause(seconds * 1000)
    return once()
  }

  async function newOwner(): Promise<Owner> {
    const email = `contract-${randomUUID()}@example.com`
    const password = `contract ${randomUUID()}`
    const answer = await send('POST', '/v1/auth/register', { body: { email, password } })
    const token = textIn(answer, JWT, 'a JWT')
    return { email, password, token, headers: { authorization: `Bearer ${token}` } }
  }

  async function newAgent(given?: Owner) {
    const owner = given ?? (await newOwner())
    const body = { displayName: 'contract agent' }
    const answer = succeeded(await send('POST', '/v1/agents', { body, headers: owner.headers }))
    const key = textIn(answer, /^avs_/, 'an API key that begins with avs_')
    return { id: idIn(answer), headers: { 'x-api-key': key }, owner }
  }

  const platform = platformKey === undefined ? null : { 'x-api-key': platformKey }
  return { send, platform, newOwner, newAgent }
}

/** @throws Difference where the service takes too long, StandingError where no service answers */
async function sendOnce(
  { url, fetch }: Pick<WorldOptions, 'url' | 'fetch'>,
  { method, path, ...call }: Call & { readonly method: string; readonly path: string },
): Promise<Answer> {
  const body = call.text ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
  const content = body === undefined ? {} : { 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const request = `${method} ${path}`
  try {
    const { status, headers, text } = await fetch(`${url}${path}`, {
      method,
      headers: { ...content, ...call.headers },
      signal,
      ...(body === undefined ? {} : { body }),
    })
    return { request, status, headers, body: jsonOf(await text()) }
  } catch (error) {
    throw signal.aborted
      ? new Difference(`an answer within ${TIMEOUT_MS / 1000} s`, `${request} -> none`)
      : unanswered(url, error)
  }
}
