import { recorderOf } from '../../src/credentials/recorder.ts'
import type { Recorder } from '../../src/ingest/record-reports.ts'
import { createIds } from '../../src/lib/ids.ts'

/** Records the past of a bench by the code of the service: without limits, and all rules count. */
export function benchRecorder(now: () => number): Recorder {
  return recorderOf({
    now,
    newId: createIds(),
    limits: {
      rateLimits: false,
      eventsPerAgentHour: 0,
      eventsPerPlatformHour: 0,
      occurredAtDays: 30,
    },
    rules: { current: async () => new Map() },
  })
}
