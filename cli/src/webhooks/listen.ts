import { isTransient, type Notification, StandingError } from '@standing/sdk'
import { pause } from '../../../src/lib/pause.ts'
import { newSecret } from '../../../src/lib/standard-webhooks.ts'
import type { Session } from '../command.ts'
import { fetchOf, type HttpFetch } from '../http/fetch.ts'
import { inLine } from '../printable.ts'
import { forward } from './forward.ts'
import type { ListenOptions } from './options.ts'

/** How long each request waits for a notification: the most that the service allows. */
const WAIT_SECONDS = 5

/** Between two tries while the service is away. The client itself has tried before. */
const AWAY_MS = 1_000

/**
 * Shows notifications as they happen and posts them, signed, to a receiver on this machine, which the
 * service itself could not reach. Runs until the terminal's signal, also while the service is away.
 *
 * @throws StandingError when the service refuses
 */
export async function listen(options: ListenOptions, session: Session): Promise<void> {
  const { signal, isJson, say, stderr } = session
  const fetch = fetchOf(session)
  const secret = options.secret ?? newSecret()
  // Programs wait for it too, so it is written in either form.
  const note = (text: string) => void stderr.write(`${text}\n`)
  const announce = isJson ? note : say
  const announceStart = () => {
    announce(`Listening to ${options.url} for ${options.events.join(', ')}`)
    if (options.forwardTo) {
      announce(`Forwarding to ${options.forwardTo}, signed with ${secret}`)
    }
  }
  for await (const notification of notifications(options, { announceStart, note, signal })) {
    session.show(notification, await handle(notification, options, secret, fetch))
  }
}

interface Listening {
  readonly announceStart: () => void
  readonly note: (text: string) => void
  readonly signal: AbortSignal | undefined
}

async function* notifications(
  { client: { webhooks }, events, agentIds }: ListenOptions,
  { announceStart, note, signal }: Listening,
): AsyncGenerator<Notification, void> {
  const subscribe = () => webhooks.listen({ events, agentIds })
  let listener: { readonly id: string } | null = await subscribe()
  let cursor: string | undefined
  let isAway = false
  announceStart()
  while (!signal?.aborted) {
    try {
      listener ??= await subscribe()
      const query = { cursor, waitSeconds: WAIT_SECONDS }
      const page = await webhooks.notifications(listener.id, query, signal ? { signal } : {})
      if (isAway) {
        note('Connected again.')
        isAway = false
      }
      yield* page.data
      cursor = page.nextCursor ?? undefined
    } catch (error) {
      if (signal?.aborted) {
        return
      }
      if (!(error instanceof StandingError)) {
        throw error
      }
      if (error.code === 'NOT_FOUND' && listener) {
        // This machine slept longer than the service keeps a listener. The next round subscribes again.
        note('The connection was lost for too long: notifications sent meanwhile are not shown.')
        listener = null
        cursor = undefined
      } else if (isTransient(error)) {
        if (!isAway) {
          note(
            `The service does not answer (${inLine(error.message)}). Trying again until it does.`,
          )
          isAway = true
        }
        await pause(AWAY_MS, signal)
      } else {
        throw error
      }
    }
  }
}

async function handle(
  notification: Notification,
  { forwardTo }: ListenOptions,
  secret: string,
  fetch: HttpFetch,
): Promise<string> {
  const line = `${notification.timestamp}  ${notification.type.padEnd(20)}  ${notification.id}`
  if (!forwardTo) {
    return `${line}  ${JSON.stringify(notification.data)}`
  }
  return `${line}  -> ${await forward(notification, forwardTo, secret, fetch)}`
}
