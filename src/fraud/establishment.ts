/**
 * When a platform is established as a reporter. Either the operator verified it, or it has for two
 * months reported on agents of five unrelated owners that other reporters report on too, and mostly agreed
 * with them. Owners are compared, not reports: one owner is one comparison, so that neither a victim
 * nor a slanderer of one agent gains or loses by it.
 */
import { ESTABLISHED_ENOUGH } from '../domain/places.ts'
import type { ReporterStats } from './reporter-stats.ts'

/** What it takes: each figure is a cost to an attacker. Judgement. */
export const ESTABLISHED = {
  /** Two months, and reports on at least half of the days: the time in which a denial is seen. */
  daysMin: 60,
  activeDaysMin: 30,
  /** Owners, not agents: an owner registers as many agents as it likes. */
  ownersMin: 5,
  /** Days of agreement before an owner counts, and the share of the compared owners that agree. */
  agreedDaysMin: 10,
  agreedShareMin: 2 / 3,
  /** With this many established platforms in the installation, new ones are no longer provisional. */
  installationMin: ESTABLISHED_ENOUGH,
  /** A platform of one or two reports is not even provisional. */
  provisionalReportsMin: 3,
  /** A platform reports only problems if it complains, against what others say, about more than this share of its owners,
   *  of so many at least, in so many reports. Owners are counted, not reports: no owner alone can bring it about. */
  problemOwnersShareMin: 2 / 3,
  problemOwnersMin: 5,
  problemsMin: 30,
  /** And if more than this share of its agents' days begin with a problem: a dozen accounts whose orders fail do not
   *  outweigh the customers of a marketplace. */
  problemDaysShareMin: 2 / 3,
  /** Problems alone establish no platform, also where others report the same: more than this share of the reports about
   *  more than this share of the owners that agree. A strict auditor finds something good. */
  onlyProblemsShareMin: 0.9,
} as const

/** What a platform's report weighs. */
export const REPORTER_WEIGHTS = { established: 1, provisional: 0.5, other: 0.1 } as const

/** Whether a platform is established, by the operator or by its record: neither while it reports only problems. */
export function isEstablished(stats: ReporterStats, isVerified: boolean): boolean {
  return (isVerified || isProven(stats)) && !reportsOnlyProblems(stats)
}

/** Whether its record alone would establish a platform. */
export function isProven({ firstDay, lastDay, activeDays, owners }: ReporterStats): boolean {
  if (firstDay < 0 || lastDay - firstDay < ESTABLISHED.daysMin) {
    return false
  }
  if (activeDays < ESTABLISHED.activeDaysMin) {
    return false
  }
  let agreeing = 0
  let denying = 0
  let ofProblems = 0
  for (const { good, bad, agreedDays, disputedDays } of owners) {
    if (disputedDays > agreedDays) {
      denying += 1
    } else if (agreedDays >= ESTABLISHED.agreedDaysMin) {
      agreeing += 1
      ofProblems += bad > ESTABLISHED.onlyProblemsShareMin * (good + bad) ? 1 : 0
    }
  }
  return (
    agreeing >= ESTABLISHED.ownersMin &&
    agreeing >= ESTABLISHED.agreedShareMin * (agreeing + denying) &&
    ofProblems <= ESTABLISHED.onlyProblemsShareMin * agreeing
  )
}

/**
 * Whether a platform reports problems and hardly any success, as a monitor does: from its reports no rate follows. It
 * mostly complains about most of its owners, although the others say that their agents work well, and on most days
 * of its agents.
 */
export function reportsOnlyProblems({
  owners,
  goodAgentDays,
  badAgentDays,
}: ReporterStats): boolean {
  const { problemsMin, problemOwnersMin, problemOwnersShareMin, problemDaysShareMin } = ESTABLISHED
  // Checked first: it takes no loop, and most platforms end here.
  if (badAgentDays <= problemDaysShareMin * (goodAgentDays + badAgentDays)) {
    return false
  }
  let reports = 0
  let denied = 0
  for (const { good, bad, disputedDays } of owners) {
    reports += good + bad
    denied += bad > good && disputedDays > 0 ? 1 : 0
  }
  return (
    reports >= problemsMin &&
    denied >= problemOwnersMin &&
    denied > problemOwnersShareMin * owners.length
  )
}

/** What a platform's report weighs; it is recorded on the event. */
export function reporterWeight(
  isEstablished: boolean,
  { counted }: ReporterStats,
  establishedPlatforms: number,
): number {
  if (isEstablished) {
    return REPORTER_WEIGHTS.established
  }
  const isProvisional =
    establishedPlatforms < ESTABLISHED.installationMin &&
    counted >= ESTABLISHED.provisionalReportsMin
  return isProvisional ? REPORTER_WEIGHTS.provisional : REPORTER_WEIGHTS.other
}

/** Whether a report would weigh something else if other platforms were established. */
export function dependsOnInstallation({
  reporterWeight,
}: {
  readonly reporterWeight: number
}): boolean {
  return reporterWeight !== REPORTER_WEIGHTS.established
}
