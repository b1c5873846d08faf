import type { Fault } from '../fault.ts'
import { clock } from './clock.ts'
import { cutConnections } from './cut-connections.ts'
import { failedSync } from './failed-sync.ts'
import { failover } from './failover.ts'
import { freeze } from './freeze.ts'
import { fullDisk } from './full-disk.ts'
import { halfOpen } from './half-open.ts'
import { killEmbedded } from './kill-embedded.ts'
import { killPostgres } from './kill-postgres.ts'
import { killService } from './kill-service.ts'
import { lostCommits } from './lost-commits.ts'
import { oneAgent } from './one-agent.ts'
import { powerCut } from './power-cut.ts'
import { sigterm } from './sigterm.ts'

export const FAULTS: readonly Fault[] = [
  killService,
  killEmbedded,
  killPostgres,
  failover,
  freeze,
  cutConnections,
  halfOpen,
  lostCommits,
  fullDisk,
  failedSync,
  powerCut,
  clock,
  oneAgent,
  sigterm,
]
