import { isTestId } from '../domain/mode.ts'
import { signatureHeaders } from '../lib/standard-webhooks.ts'
import { createPolicy } from '../outbound/address.ts'
import { createGuardedAgent } from '../outbound/connect.ts'
import type { Resolve } from '../outbound/resolve.ts'
import type { DeliveryJob } from '../store/delivery-job.ts'
import type { Attempt } from './attempt.ts'
import { chatBody, type MessageSource, mailOf } from './messages.ts'
import { elapsedMs, noResponse, post } from './post.ts'
import { type OpenSecret, secretsOf, targetOf } from './sealed.ts'

export interface SenderOptions {
  readonly open: OpenSecret
  /** Sends a mail; null where the service sends none. */
  readonly sendMail?: SendMail | null
  /** The ranges of STANDING_WEBHOOK_ALLOW. */
  readonly allow: readonly string[]
  /** In place of DNS. */
  readonly resolve?: Resolve
  /** DNS servers in place of those of the machine; no query goes elsewhere. */
  readonly dnsServers?: readonly string[]
  readonly now: () => number
  /** Runs each attempt, for traces. By default it just runs. */
  readonly around?: (job: DeliveryJob, attempt: () => Promise<Attempt>) => Promise<Attempt>
  /** Called after every attempt. */
  readonly onAttempt?: (attempt: Attempt) => void
  readonly onError: (error: unknown) => void
}

/** Resolves when the mail server has accepted it. */
export type SendMail = (mail: {
  readonly to: string
  readonly subject: string
  readonly text: string
}) => Promise<void>

export interface Sender {
  /** Makes one attempt. Null: it was cancelled. Rejects if the job cannot be signed. */
  send(job: DeliveryJob): Promise<Attempt | null>
  /** Every attempt in flight ends without a result. */
  cancel(): void
  close(): Promise<void>
}

/** Signs jobs, and posts or mails them. */
export function createSender(options: SenderOptions): Sender {
  const { allow, resolve, dnsServers, open, now, onAttempt, onError } = options
  const { around = (_job, attempt) => attempt() } = options
  const policy = createPolicy(allow)
  const agent = createGuardedAgent({ policy, dnsServers, ...(resolve ? { resolve } : {}) })
  const cancels = new Set<(cancelled: null) => void>()

  function attempt(job: DeliveryJob): Promise<Attempt> {
    return job.format === 'mail'
      ? mail(job, options)
      : post({ ...requestOf(job, open, now()), dispatcher: agent, now })
  }

  async function reported(job: DeliveryJob): Promise<Attempt> {
    const ended = await around(job, () => attempt(job))
    // The attempt counts even if the callback throws.
    try {
      onAttempt?.(ended)
    } catch (error) {
      onError(error)
    }
    return ended
  }

  return {
    send: (job) =>
      new Promise((end, fail) => {
        cancels.add(end)
        reported(job)
          .finally(() => cancels.delete(end))
          .then(end, fail)
      }),
    cancel() {
      for (const cancel of cancels) {
        cancel(null)
      }
    },
    close: () => agent.destroy(),
  }
}

/** The request of one attempt, with a signature over its own time. */
function requestOf(job: DeliveryJob, open: OpenSecret, now: number) {
  const { notificationId: id } = job
  const body = bodyOf(job)
  const timestampSeconds = Math.floor(now / 1000)
  const secrets = secretsOf(job, open, now)
  const url = targetOf(job, open)
  return { url, body, headers: { ...signatureHeaders({ id, timestampSeconds, body, secrets }) } }
}

function bodyOf(job: DeliveryJob): string {
  const { format, notificationId: id, type, createdAt, data, subscriptionId } = job
  if (format !== 'standard' && format !== 'mail') {
    return JSON.stringify(chatBody(format, messageSource(job)))
  }
  const test = isTestId(subscriptionId) ? { mode: 'test' } : {}
  const head = JSON.stringify({ id, type, ...test, timestamp: new Date(createdAt).toISOString() })
  // The data is sent exactly as it was stored.
  return `${head.slice(0, -1)},"data":${data}}`
}

function messageSource({ type, data, agentName, subscriptionId }: DeliveryJob): MessageSource {
  return { type, data: JSON.parse(data), agentName, isTest: isTestId(subscriptionId) }
}

/** One attempt to send a mail. It has no HTTP status. */
async function mail(
  job: DeliveryJob,
  { open, sendMail, onError }: SenderOptions,
): Promise<Attempt> {
  if (!sendMail) {
    return noResponse('the service sends no mail')
  }
  const message = { to: targetOf(job, open).replace(/^mailto:/, ''), ...mailOf(messageSource(job)) }
  const startedAt = performance.now()
  const error = await sendMail(message).then(
    () => null,
    (error: unknown) => {
      onError(error)
      return 'the mail server did not take it'
    },
  )
  const outcome = error === null ? 'delivered' : 'failed'
  return { ...noResponse(''), outcome, error, durationMs: elapsedMs(startedAt) }
}
