import { type Listener, type Notification, Standing, StandingError } from '@standing/sdk'
import { newSecret } from '../../../src/delivery/sign.ts'
import type { Terminal } from '../command.ts'
import { forward } from './forward.ts'
import type { ListenOptions } from './options.ts'

/** How long each request waits for a notification: the most that the service allows. */
const WAIT_SECONDS = 5

/**
 * Shows notifications as they happen and posts them, signed, to a receiver on this machine, which the
 * service itself could not reach. Runs until the terminal's signal.
 *
 * @throws StandingError when the service refuses
 */
export async function listen(options: ListenOptions, { say, signal }: Terminal): Promise<void> {
  const { webhooks } = new Standing({ baseUrl: options.url, token: options.token })
  const secret = options.secret ?? newSecret()
  const subscribe = () => webhooks.listen({ events: options.events, agentIds: options.agentIds })
  let listener: Listener = await subscribe()
  let cursor: string | undefined
  say(`Listening to ${options.url} for ${options.events.join(', ')}`)
  if (options.forwardTo) {
    say(`Forwarding to ${options.forwardTo}, signed with ${secret}`)
  }
  while (!signal?.aborted) {
    try {
      const query = { cursor, waitSeconds: WAIT_SECONDS }
      const page = await webhooks.notifications(listener.id, query, signal ? { signal } : {})
      for (const notification of page.data) {
        say(await handle(notification, options, secret))
      }
      cursor = page.nextCursor ?? undefined
    } catch (error) {
      if (signal?.aborted) {
        return
      }
      if (!(error instanceof StandingError) || error.code !== 'NOT_FOUND') {
        throw error
      }
      // This machine slept longer than the service keeps a listener.
      say('The connection was lost for too long: notifications sent meanwhile are not shown.')
      listener = await subscribe()
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
