import { isProven, reportsOnlyProblems } from '../fraud/establishment.ts'
import type { ReporterStats } from '../fraud/reporter-stats.ts'

/**
 * The platforms that are established, by the operator or by their record, and do not report only problems; all of one
 * owner count as one.
 */
export interface EstablishedPlatforms {
  /** Whether the operator has verified a platform, of an owner or of none. */
  verify(platformId: string, isVerified?: boolean, ownerId?: string | null): void
  /** What its record says of it. */
  judge(platformId: string, stats: ReporterStats, ownerId: string | null): void
  count(): number
}

export function createEstablishedPlatforms(): EstablishedPlatforms {
  const verified = new Map<string, string>()
  const proven = new Map<string, string>()
  const onlyProblems = new Map<string, string>()
  let count = 0
  const set = (voters: Map<string, string>, id: string, isIn: boolean, owner: string | null) => {
    if (voters.has(id) !== isIn) {
      isIn ? voters.set(id, owner ?? id) : voters.delete(id)
      const counted = [...verified, ...proven].filter(([platform]) => !onlyProblems.has(platform))
      count = new Set(counted.map(([, voter]) => voter)).size
    }
  }
  return {
    verify: (id, isVerified = true, owner = null) => set(verified, id, isVerified, owner),
    judge(id, stats, owner) {
      set(proven, id, isProven(stats), owner)
      set(onlyProblems, id, reportsOnlyProblems(stats), owner)
    },
    count: () => count,
  }
}
