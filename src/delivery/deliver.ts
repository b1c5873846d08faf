import { isTestId } from '../domain/mode.ts'
import { DAY_MS } from '../domain/time.ts'
import { startInterval } from '../lib/interval.ts'
import { createPolicy } from '../outbound/address.ts'
import { createGuardedAgent } from '../outbound/connect.ts'
import type { Resolve } from '../outbound/resolve.ts'
import type { DeliveryJob } from '../store/delivery-job.ts'
import type { DeliveryQueue } from '../store/delivery-queue.ts'
import type { Attempt } from './attempt.ts'
import { createDispatcher } from './dispatcher.ts'
import { chatBody, type MessageSource, mailOf } from './messages.ts'
import { noResponse, post } from './post.ts'
import { pruneAll } from './prune.ts'
import { signatureHeaders } from './sign.ts'

export interface DelivererOptions {
  readonly queue: DeliveryQueue<DeliveryJob>
  /** Calls `wake` whenever there may be something to send, until the function returned is called. */
  readonly subscribe: (wake: () => void) => () => void
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
  /** How long notifications and deliveries are kept (STANDING_RETENTION). */
  readonly keptDays: number
  /** Runs each attempt, for traces. By default it just runs. */
  readonly around?: (job: DeliveryJob, post: () => Promise<Attempt>) => Promise<Attempt>
  /** Called after every attempt. */
  readonly onAttempt?: (attempt: Attempt) => void
  readonly onError: (error: unknown) => void
}

/** Opens what was sealed under this name. */
export type OpenSecret = (sealed: Uint8Array, name: string) => Uint8Array

/** Resolves when the mail server has accepted it. */
export type SendMail = (mail: {
  readonly to: string
  readonly subject: string
  readonly text: string
}) => Promise<void>

export interface Deliverer {
  /** Finishes what is in flight or leaves it for the next start; nothing is lost. */
  close(): Promise<void>
}

/** Deliveries are kept for days, so ten minutes more or less make no difference. */
const PRUNE_EVERY_MS = 10 * 60_000

/** One statement; the deliveries of a dead node wait for five of these. */
const HEARTBEAT_MS = 4_000

/** Four heartbeats may be late before a node counts as dead: a stalled disk does not make it one. */
const NODE_ALIVE_MS = 5 * HEARTBEAT_MS

/** A stop waits this long for receivers: half of what most supervisors grant before they kill. */
const CLOSE_MS = 5_000

/** Delivers on one node until it is closed: the dispatcher, the heartbeat and the pruning. */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const { queue, now, onError, keptDays } = options
  const sender = createSender(options)
  const dispatcher = createDispatcher({ queue, send: sender.send, onError, now })
  const unsubscribe = options.subscribe(dispatcher.wake)
  const heartbeat = startInterval({
    everyMs: HEARTBEAT_MS,
    startsAtOnce: true,
    onError,
    async work() {
      if (await queue.heartbeat(NODE_ALIVE_MS)) {
        dispatcher.wake()
      }
    },
  })
  const closing = new AbortController()
  const pruning = startInterval({
    everyMs: PRUNE_EVERY_MS,
    startsAtOnce: true,
    onError,
    work: () => pruneAll(() => queue.prune(now() - keptDays * DAY_MS), closing.signal),
  })
  dispatcher.wake()
  return {
    async close() {
      closing.abort()
      unsubscribe()
      const timer = setTimeout(sender.cancel, CLOSE_MS)
      // Together: from here on neither starts anything new.
      await Promise.all([dispatcher.stop(), pruning.stop()])
      clearTimeout(timer)
      await heartbeat.stop()
      await queue.deregister().catch(onError)
      await sender.close()
    },
  }
}

/** Signs and posts jobs, until what is in flight is cancelled. */
function createSender(options: DelivererOptions) {
  const { allow, resolve, dnsServers, open, now, onAttempt, onError } = options
  const { around = (_job, attempt) => attempt() } = options
  const policy = createPolicy(allow)
  const agent = createGuardedAgent({ policy, dnsServers, ...(resolve ? { resolve } : {}) })
  const inFlight = new Set<(attempt: Attempt | null) => void>()
  // The attempt counts even if a callback throws.
  const report = (attempt: Attempt) => {
    try {
      onAttempt?.(attempt)
    } catch (error) {
      onError(error)
    }
  }
  return {
    send: (job: DeliveryJob) =>
      new Promise<Attempt | null>((end, fail) => {
        const attempt = () =>
          job.format === 'mail'
            ? mail(job, options)
            : post({ ...requestOf(job, open, now()), dispatcher: agent, now })
        inFlight.add(end)
        void around(job, attempt)
          .then((attempt) => {
            report(attempt)
            end(attempt)
          }, fail)
          .finally(() => inFlight.delete(end))
      }),
    /** Every post in flight ends without an attempt. */
    cancel() {
      for (const end of inFlight) {
        end(null)
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

function targetOf(job: DeliveryJob, open: OpenSecret): string {
  return Buffer.from(open(job.sealedUrl, urlName(job.subscriptionId))).toString()
}

/** One attempt to send a mail, as an attempt without a response. Never rejects. */
async function mail(job: DeliveryJob, options: DelivererOptions): Promise<Attempt> {
  const { open, sendMail } = options
  if (!sendMail) {
    return noResponse('the service sends no mail')
  }
  const startedAt = performance.now()
  const to = targetOf(job, open).replace(/^mailto:/, '')
  try {
    await sendMail({ to, ...mailOf(messageSource(job)) })
    const durationMs = Math.round(performance.now() - startedAt)
    return { ...noResponse(''), outcome: 'delivered', error: null, durationMs }
  } catch (error) {
    options.onError(error)
    return noResponse('the mail server did not take it')
  }
}

function secretsOf(job: DeliveryJob, open: OpenSecret, now: number): readonly string[] {
  const { sealedSecret, sealedPrevious, previousUntil } = job
  const isRotating = sealedPrevious !== null && now < (previousUntil ?? 0)
  const sealed = isRotating ? [sealedSecret, sealedPrevious] : [sealedSecret]
  const name = secretName(job.subscriptionId)
  return sealed.map((one) => Buffer.from(open(one, name)).toString())
}

/** Binds a sealed value to its subscription: in another row it cannot be opened. */
export function secretName(subscriptionId: string): string {
  return `webhook ${subscriptionId} secret`
}

export function urlName(subscriptionId: string): string {
  return `webhook ${subscriptionId} url`
}
