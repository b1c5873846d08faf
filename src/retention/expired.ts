import { DAY_MS, HOUR_MS } from '../domain/time.ts'
import type { Store, Sweepable } from '../store/store.ts'

/** How long each is kept after it expired or, of what does not expire, after it was written. */
const KEPT_MS: Readonly<Record<Sweepable, number>> = {
  // Such a response may contain a secret that can no longer be requested.
  storedResponses: 0,
  reportResponses: 0,
  // In case the use of a key has to be investigated. For a caller it is the same as an unknown one.
  keys: DAY_MS,
  // An expired session is of no use, and shows when a person was signed in.
  sessions: 0,
  // It stays in the list for a month, so that it can be seen to have expired.
  invitations: 30 * DAY_MS,
  oneTimeTokens: 0,
  // Longer than any window in which they are counted.
  loginFailures: DAY_MS,
  // An address is known for no longer (src/auth/throttle.ts).
  loginSuccesses: 30 * DAY_MS,
  // Payloads of mappings that are too old to be sent again.
  rememberedAgents: 0,
  // People look back this far at what a program decided.
  decisions: 30 * DAY_MS,
  // A window that ended this long ago is not needed any more, however far clocks differ.
  quotaRequests: HOUR_MS,
  quotaLookups: 62 * DAY_MS,
}

/** Deletes everything that is kept no longer, in short statements, until the service stops. */
export async function deleteExpired(
  { sweep }: Pick<Store, 'sweep'>,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  for (const [what, keptMs] of Object.entries(KEPT_MS) as [Sweepable, number][]) {
    while (!isStopping() && (await sweep(what, now - keptMs)) > 0) {}
  }
}
