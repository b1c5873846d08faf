import type { ReporterStats } from '../fraud/reporter-stats.ts'

/** Statistics about platforms as reporters. */
export interface ReporterStore {
  /** By platform. With `lock` one that has none yet is started, and each is locked in id order. */
  findMany(
    platformIds: readonly string[],
    options?: { readonly lock?: 'wait' },
  ): Promise<ReadonlyMap<string, ReporterStats>>
  save(platformId: string, stats: ReporterStats): Promise<void>
}
