import type { Intake } from '../http/intake.ts'
import type { Metrics } from './metrics.ts'

export function watchIntake({ gauge }: Metrics, { state }: Intake): void {
  gauge('standing_reads_in_progress', 'Requests that read', () => state().read.running)
  gauge('standing_reads_waiting', 'Requests that wait for room to read', () => state().read.waiting)
  gauge(
    'standing_writes_in_progress_kibibytes',
    'Bodies of the requests that write',
    () => state().write.running,
  )
  gauge(
    'standing_writes_waiting',
    'Requests that wait for room to write',
    () => state().write.waiting,
  )
  gauge('standing_logins_in_progress', 'Log-ins', () => state().login.running)
  gauge('standing_logins_waiting', 'Log-ins that wait for room', () => state().login.waiting)
}
