import { isTestId, modeOf } from '../../domain/mode.ts'
import { isEstablished } from '../../fraud/establishment.ts'
import { agreementOf, NO_REPORTS, type ReporterStats } from '../../fraud/reporter-stats.ts'
import type { DiscardStatus } from '../../reviews/request-discard.ts'
import type { Discard as DiscardRow, KeyRow, PlatformRow } from '../../store/store.ts'
import { presentKeyFields } from '../key-records.ts'
import { time, timeOrNull } from '../wire.ts'

/** An agreement rate is shown with three decimals. */
const AGREEMENT_SCALE = 1_000

export function shownAgreement(record: ReporterStats): number {
  return Math.round(agreementOf(record) * AGREEMENT_SCALE) / AGREEMENT_SCALE
}

export function presentPublicPlatform({ id, name }: PlatformRow) {
  return { id, mode: modeOf(id), name }
}

/** What is known of a platform besides its row. */
interface PlatformRecord {
  readonly stats?: ReporterStats | undefined
  readonly keys: readonly KeyRow[]
}

export function presentDiscard({ progress, earlier, ...latest }: DiscardStatus) {
  return { ...presentOutcome(latest), progress, earlier: earlier.map(presentOutcome) }
}

function presentOutcome({ reason, requestedAt, agents, finishedAt }: DiscardRow) {
  return {
    reason,
    requestedAt: time(requestedAt),
    agents,
    finishedAt: timeOrNull(finishedAt),
  }
}

/** To the operator. */
export function presentPlatform(
  platform: PlatformRow,
  now: number,
  { discard, ...record }: PlatformRecord & { readonly discard?: DiscardStatus | null | undefined },
) {
  return {
    ...presentOwnPlatform(platform, now, record),
    discarded: discard ? presentDiscard(discard) : null,
  }
}

/** To the platform itself. */
export function presentOwnPlatform(
  platform: PlatformRow,
  now: number,
  { stats = NO_REPORTS, keys }: PlatformRecord,
) {
  const { id, name, tier, status, publicKey, previousKey, ownerId } = platform
  const { requireAttestation, verified } = platform
  const { events: total, quarantined, released, upheld } = stats
  return {
    id,
    mode: modeOf(id),
    name,
    tier,
    status,
    publicKey,
    previousKey:
      previousKey && previousKey.expiresAt > now
        ? { publicKey: previousKey.publicKey, expiresAt: time(previousKey.expiresAt) }
        : null,
    requireAttestation,
    verified,
    established: isEstablished(stats, verified || isTestId(id)),
    agreement: shownAgreement(stats),
    reports: { total, quarantined, released, upheld },
    ownerId,
    ...presentKeyFields(keys),
    createdAt: time(platform.createdAt),
    updatedAt: time(platform.updatedAt),
  }
}
