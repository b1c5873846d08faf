import { startInterval } from '../lib/interval.ts'
import { createPolicy } from './address.ts'
import type { Attempt } from './attempt.ts'
import { createWebhookAgent } from './connect.ts'
import type { DeliveryJob } from './delivery-job.ts'
import { BEAT_MS, type DeliveryStore, type Upkeep } from './delivery-store.ts'
import { createDispatcher } from './dispatcher.ts'
import { post } from './post.ts'
import { pruneAll } from './prune.ts'
import type { Resolve } from './resolve.ts'
import { signatureHeaders } from './sign.ts'

export interface DelivererOptions {
  readonly store: DeliveryStore<DeliveryJob>
  readonly upkeep: Upkeep
  /** Calls back whenever there may be something to send. */
  readonly listen: (wake: () => void) => { close(): Promise<void> }
  readonly open: OpenSecret
  /** The ranges of STANDING_WEBHOOK_ALLOW. */
  readonly allow: readonly string[]
  /** In place of DNS. */
  readonly resolve?: Resolve
  readonly now: () => number
  /** Told of every attempt that came to an end. */
  readonly onAttempt?: (attempt: Attempt) => void
  readonly onError: (error: unknown) => void
}

/** Opens what was sealed under this name. */
export type OpenSecret = (sealed: Uint8Array, name: string) => Uint8Array

export interface Deliverer {
  /** Finishes what is in flight or leaves it for the next start; nothing is lost. */
  close(): Promise<void>
}

/** Notices, deliveries and their attempts are kept so long: thirty days, as docs/webhooks.md says. */
export const KEPT_MS = 30 * 86_400_000

const PRUNE_EVERY_MS = 10 * 60_000

/** A stop waits this long for receivers: half of what most supervisors grant before they kill. */
const CLOSE_MS = 5_000

/** The delivery of one node: its pump, and what keeps the store in order, until it is closed. */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const { store, upkeep, now, onAttempt, onError, resolve } = options
  const policy = createPolicy(options.allow)
  const dispatcher = createWebhookAgent(resolve ? { policy, resolve } : { policy })
  const inFlight = new Set<(attempt: Attempt | null) => void>()
  // Whoever is told may fail; the attempt was made all the same.
  const tell = (attempt: Attempt) => {
    try {
      onAttempt?.(attempt)
    } catch (error) {
      onError(error)
    }
  }
  const send = (job: DeliveryJob) =>
    new Promise<Attempt | null>((end, fail) => {
      const request = { ...requestOf(job, options.open, now()), dispatcher, now }
      inFlight.add(end)
      void post(request)
        .then((attempt) => {
          tell(attempt)
          end(attempt)
        }, fail)
        .finally(() => inFlight.delete(end))
    })
  const pump = createDispatcher({ store, send, onError, now })
  const listener = options.listen(pump.wake)
  const beating = startInterval({
    everyMs: BEAT_MS,
    startsAtOnce: true,
    onError,
    async work() {
      if (await upkeep.beat()) {
        pump.wake()
      }
    },
  })
  const closing = new AbortController()
  const pruning = startInterval({
    everyMs: PRUNE_EVERY_MS,
    startsAtOnce: true,
    onError,
    work: () => pruneAll(() => upkeep.prune(now() - KEPT_MS), closing.signal),
  })
  pump.wake()
  return {
    async close() {
      closing.abort()
      const timer = setTimeout(() => {
        for (const giveUp of inFlight) {
          giveUp(null)
        }
      }, CLOSE_MS)
      // At once, not when the others are done: nothing new is begun from here on.
      await Promise.all([pump.stop(), listener.close(), pruning.stop()])
      clearTimeout(timer)
      await beating.stop()
      await upkeep.leave().catch(onError)
      await dispatcher.destroy()
    },
  }
}

/** What is posted: the signature is made anew for each attempt, over its own time. */
function requestOf(job: DeliveryJob, open: OpenSecret, now: number) {
  const { notificationId: id, type, createdAt, data, url } = job
  const head = JSON.stringify({ id, type, timestamp: new Date(createdAt).toISOString() })
  // The data goes out as it was kept, to the letter.
  const body = `${head.slice(0, -1)},"data":${data}}`
  const timestampSeconds = Math.floor(now / 1000)
  const secrets = secretsOf(job, open, now)
  return { url, body, headers: { ...signatureHeaders({ id, timestampSeconds, body, secrets }) } }
}

function secretsOf(job: DeliveryJob, open: OpenSecret, now: number): readonly string[] {
  const { sealedSecret, sealedPrevious, previousUntil } = job
  const isRotating = sealedPrevious !== null && now < (previousUntil ?? 0)
  const sealed = isRotating ? [sealedSecret, sealedPrevious] : [sealedSecret]
  const name = secretName(job.subscriptionId)
  return sealed.map((one) => Buffer.from(open(one, name)).toString())
}

/** Binds a sealed secret to its subscription: moved to another row it does not open. */
export function secretName(subscriptionId: string): string {
  return `webhook ${subscriptionId} secret`
}
