/** When a node begins each of its background tasks, and how often it repeats them. */
import { KEY_USE_MS } from '../auth/key-use.ts'
import { DECISIONS_MS } from '../decisions/decision-log.ts'
import { HOUR_MS } from '../domain/time.ts'
import type { Schedule } from '../lib/interval.ts'

/**
 * The time between the first rounds of tasks that begin with the process. Tasks that begin one after another
 * share a database connection; tasks that begin together open one each, and each is a process of the server.
 */
const APART_MS = 20

/**
 * A parent learns what its children did, and the other way round, within about a second. A long release
 * begins as soon.
 */
const BACKGROUND_MS = 1_000

export type BackgroundSchedule = ReturnType<typeof backgroundSchedule>

/**
 * @param soonMs The time between two rounds of what requests left to be done. Defaults to a second.
 */
export function backgroundSchedule(soonMs = BACKGROUND_MS) {
  return {
    // These begin with the process: a node that died, or an earlier release, may have left work to them.
    /** How soon another node continues what a node that died had begun. */
    erasures: { everyMs: 60_000, startsAfterMs: APART_MS },
    /** A node of an older release that is still running may fold events after this one has started. */
    model: { everyMs: 60_000, startsAfterMs: 2 * APART_MS },
    releases: { everyMs: soonMs, startsAfterMs: 3 * APART_MS },
    /**
     * At least once a day, which two rounds are, is enough for what is kept for months. An agent may be locked for
     * minutes; what keeps failing adds a round of reads in an hour.
     */
    retention: { everyMs: 12 * HOUR_MS, retryMs: HOUR_MS, startsAfterMs: 4 * APART_MS },
    delegations: { everyMs: soonMs, startsAfterMs: 5 * APART_MS },
    discards: { everyMs: soonMs, startsAfterMs: 6 * APART_MS },
    /** Deliveries are kept for days, so ten minutes more or less make no difference. */
    deliveries: { everyMs: 10 * 60_000, startsAfterMs: 7 * APART_MS },

    // These begin after the time of a round.
    attributions: { everyMs: soonMs },
    /** Webhooks report a revocation that no request caused within the hour. */
    credentials: { everyMs: HOUR_MS },
    /** A score that only the days move does so by a point or two in a day. */
    ceilings: { everyMs: HOUR_MS },
    key_use: { everyMs: KEY_USE_MS },
    decisions: { everyMs: DECISIONS_MS },
    /** Each is due once a day; this spreads those that were verified together. */
    identifiers: { everyMs: 60_000 },
    /** Expired rows outlive their time by at most ten minutes: two rounds. */
    expired: { everyMs: 300_000 },
    /** How often mails of other nodes, and attempts that failed, are looked for. */
    mails: { everyMs: 5_000 },
  } as const satisfies Readonly<Record<string, Schedule>>
}
