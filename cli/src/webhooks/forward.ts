import type { Notification } from '@standing/sdk'
import { signatureHeaders } from '../../../src/lib/standard-webhooks.ts'
import type { HttpFetch } from '../http/fetch.ts'

/** A receiver that is being debugged may be slow; one that is gone should be reported soon. */
const TIMEOUT_MS = 15_000

/** Posts a notification as the service posts webhooks; the answer, for people. */
export async function forward(
  notification: Notification,
  url: string,
  secret: string,
  fetch: HttpFetch,
): Promise<string> {
  const body = JSON.stringify(notification)
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const { id } = notification
  const signed = signatureHeaders({ id, timestampSeconds, body, secrets: [secret] })
  const from = performance.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // Read, so that the connection can be used again.
    await response.text()
    return `${response.status} (${Math.round(performance.now() - from)} ms)`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return `failed: ${cause instanceof Error ? cause.message : cause}`
  }
}
