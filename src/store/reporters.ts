import type { ReporterStats } from '../fraud/reporter-stats.ts'
import type { Many } from './rows.ts'

/** Statistics about platforms as reporters. */
export interface ReporterStore extends Many<ReporterStats> {
  /**
   * Within a transaction: replaces the statistics of each platform by what is made of them. All are locked before, in
   * the order of the ids; a platform that has none yet begins with none.
   */
  change(
    platformIds: readonly string[],
    by: (stats: ReporterStats, platformId: string) => ReporterStats,
  ): Promise<void>
}
