import { isTestId, modeOf } from '../../domain/mode.ts'
import { isProven } from '../../fraud/establishment.ts'
import { agreementOf, NO_REPORTS, type ReporterStats } from '../../fraud/reporter-stats.ts'
import type { PlatformRow } from '../../store/store.ts'
import { time } from '../wire.ts'

/** An agreement rate is shown with three decimals. */
const AGREEMENT_SCALE = 1_000

export function shownAgreement(record: ReporterStats): number {
  return Math.round(agreementOf(record) * AGREEMENT_SCALE) / AGREEMENT_SCALE
}

export function presentPublicPlatform({ id, name }: PlatformRow) {
  return { id, mode: modeOf(id), name }
}

export function presentPlatform(
  platform: PlatformRow,
  now: number,
  record: ReporterStats = NO_REPORTS,
) {
  const { id, name, tier, status, publicKey, previousKey, ownerId } = platform
  const { requireAttestation, verified } = platform
  const { events: total, quarantined, released, upheld } = record
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
    established: verified || isTestId(id) || isProven(record),
    agreement: shownAgreement(record),
    reports: { total, quarantined, released, upheld },
    ownerId,
    createdAt: time(platform.createdAt),
    updatedAt: time(platform.updatedAt),
  }
}
