import { LATEST_PROXY } from '../store/installation.ts'
import type { Store } from '../store/store.ts'

/** Notices a proxy that STANDING_TRUST_PROXY does not name: all its clients share one address. */
export interface ProxyWatch {
  /** To be called for each request. */
  observe(peer: string, forwardedFor: string | null): void
}

export interface ProxyWatchOptions {
  readonly isProxy: (peer: string) => boolean
  /** Called once for each proxy that is noticed, of the first twenty. */
  readonly onUntrusted: (peer: string) => void
}

/** Enough requests to be normal traffic, and not one client that sends the header on purpose. */
const REQUESTS = 100

/** An installation has a few proxies. More are clients that send the header, each of which would be logged. */
const NOTICED_MAX = 20

/** Nearly all of them: health checks of the machine itself carry no header. */
const SHARE_MIN = 0.95

export function createProxyWatch({ isProxy, onUntrusted }: ProxyWatchOptions): ProxyWatch {
  const noticed = new Set<string>()
  let requests = 0
  let forwarded = 0
  let candidate = ''
  return {
    observe(peer, forwardedFor) {
      requests++
      if (forwardedFor !== null && (forwarded === 0 || peer === candidate)) {
        candidate = peer
        forwarded++
      }
      if (requests < REQUESTS) {
        return
      }
      const isNew = !noticed.has(candidate) && noticed.size < NOTICED_MAX
      if (forwarded >= REQUESTS * SHARE_MIN && !isProxy(candidate) && isNew) {
        noticed.add(candidate)
        onUntrusted(candidate)
      }
      requests = 0
      forwarded = 0
    },
  }
}

/** What `standing doctor` reads of it. */
export interface UntrustedProxy {
  readonly peer: string
  readonly at: number
}

export async function storeUntrustedProxy(
  { installation }: Store,
  seen: UntrustedProxy,
): Promise<void> {
  await installation.save({ name: LATEST_PROXY, value: JSON.stringify(seen) })
}
