import type { Notification } from '@standing/sdk'
import { signatureHeaders } from '../../../src/delivery/sign.ts'

/** A receiver that is being debugged may be slow; one that is gone should be reported soon. */
const TIMEOUT_MS = 15_000

/** Posts a notification as the service posts webhooks; the answer, for people. */
export async function forward(
  notification: Notification,
  url: string,
  secret: string,
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
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return `${response.status} (${Math.round(performance.now() - from)} ms)`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return `failed: ${cause instanceof Error ? cause.message : cause}`
  }
}
