// standing webhooks listen: shows notices as they happen, and posts them, signed, to a receiver on
// this machine, which the service itself could not reach.
import { type Listener, type Notification, Standing, StandingError } from '@standing/sdk'
import { newSecret, signatureHeaders } from '../../src/delivery/sign.ts'
import { type ListenOptions, parseListenOptions } from './webhooks-listen/options.ts'

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  write(line: string): void
  /** Ends it. */
  readonly signal?: AbortSignal
}

/** How long each question waits for something to happen: the most that the service grants. */
const WAIT_SECONDS = 5

/** A receiver under a debugger may take its time; one that is gone should be told soon. */
const FORWARD_TIMEOUT_MS = 15_000

/**
 * Runs until its signal. @throws ListenError when the options are wrong, StandingError when the
 * service refuses
 */
export async function listenWebhooks(args: readonly string[], terminal: Terminal): Promise<void> {
  const options = parseListenOptions(args, terminal.env)
  const { webhooks } = new Standing({ baseUrl: options.url, token: options.token })
  const secret = options.secret ?? newSecret()
  const follow = () => webhooks.listen({ events: options.events, agentIds: options.agentIds })
  let listener: Listener = await follow()
  let cursor: string | undefined
  terminal.write(`Listening to ${options.url} for ${options.events.join(', ')}`)
  if (options.forwardTo) {
    terminal.write(`Forwarding to ${options.forwardTo}, signed with ${secret}`)
  }
  while (!terminal.signal?.aborted) {
    try {
      const call = terminal.signal ? { signal: terminal.signal } : {}
      const query = { cursor, waitSeconds: WAIT_SECONDS }
      const { data, nextCursor } = await webhooks.notices(listener.id, query, call)
      for (const notification of data) {
        terminal.write(await handle(notification, options, secret))
      }
      cursor = nextCursor ?? undefined
    } catch (error) {
      if (terminal.signal?.aborted) {
        return
      }
      if (!(error instanceof StandingError) || error.code !== 'NOT_FOUND') {
        throw error
      }
      // This machine slept longer than the service waits.
      terminal.write('Away for too long: what was told meanwhile is not shown.')
      listener = await follow()
      cursor = undefined
    }
  }
}

async function handle(
  notification: Notification,
  { forwardTo }: ListenOptions,
  secret: string,
): Promise<string> {
  const line = `${notification.timestamp}  ${notification.type.padEnd(20)}  ${notification.id}`
  if (!forwardTo) {
    return `${line}  ${JSON.stringify(notification.data)}`
  }
  return `${line}  -> ${await forward(notification, forwardTo, secret)}`
}

async function forward(notification: Notification, url: string, secret: string): Promise<string> {
  const body = JSON.stringify(notification)
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const signed = signatureHeaders({
    id: notification.id,
    timestampSeconds,
    body,
    secrets: [secret],
  })
  const from = performance.now()
  try {
    const headers = { 'content-type': 'application/json', ...signed }
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS)
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    return `${answer.status} (${Math.round(performance.now() - from)} ms)`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return `failed: ${cause instanceof Error ? cause.message : cause}`
  }
}
