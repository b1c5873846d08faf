import type { DeliveryJob } from '../store/delivery-job.ts'

/** Opens what was sealed under this name. */
export type OpenSecret = (sealed: Uint8Array, name: string) => Uint8Array

/** Binds a sealed value to its subscription: in another row it cannot be opened. */
export function secretName(subscriptionId: string): string {
  return `webhook ${subscriptionId} secret`
}

export function urlName(subscriptionId: string): string {
  return `webhook ${subscriptionId} url`
}

/** The URL that the job is posted to, or `mailto:` and an address. */
export function targetOf({ sealedUrl, subscriptionId }: DeliveryJob, open: OpenSecret): string {
  return Buffer.from(open(sealedUrl, urlName(subscriptionId))).toString()
}

/** The secrets that sign the job, the newest first; during a rotation the previous one too. */
export function secretsOf(job: DeliveryJob, open: OpenSecret, now: number): readonly string[] {
  const { sealedSecret, sealedPrevious, previousUntil } = job
  const isRotating = sealedPrevious !== null && now < (previousUntil ?? 0)
  const sealed = isRotating ? [sealedSecret, sealedPrevious] : [sealedSecret]
  const name = secretName(job.subscriptionId)
  return sealed.map((one) => Buffer.from(open(one, name)).toString())
}
