/** The rows that a batch inserts. A kind of write that is missing here does not compile. */
import type { AgentWrites, IngestResult } from '../ingest.ts'
import { type Before, checkpointRows, dueCheckpoints } from './checkpoints.ts'
import { delegationTaskRows } from './delegation-tasks.ts'
import { endorsementRows } from './endorsements.ts'
import { eventRows } from './events.ts'
import { externalIdRows } from './external-ids.ts'
import { responseRows } from './idempotency.ts'
import type { RowsWrite } from './rows.ts'
import { snapshotRows } from './snapshot-rows.ts'
import { workRows } from './work-stats.ts'

/** Each kind by a statement of its own. Some kinds make rows of two tables. */
type RowsOfKinds<Kind extends string> = Readonly<
  Record<Kind | 'externalIds' | 'checkpoints', RowsWrite>
>

/** What lies with the agents, apart from their states, which are updated. */
export function agentRows(
  { agentStates, events, snapshots, storedResponses }: AgentWrites,
  before: Before,
): RowsOfKinds<Exclude<keyof AgentWrites, 'agentStates'>> {
  return {
    events: eventRows(events.map(({ event }) => event)),
    externalIds: externalIdRows(events),
    snapshots: snapshotRows(snapshots),
    storedResponses: responseRows(storedResponses),
    checkpoints: checkpointRows(dueCheckpoints(agentStates, before)),
  }
}

/** All that one statement of a single server inserts: notifications take more than that, and the rest is updated. */
export function insertedRows(
  decided: IngestResult,
  before: Before,
  newId: () => string,
): RowsOfKinds<
  Exclude<keyof IngestResult, 'agentStates' | 'platformHours' | 'reporters' | 'notifications'>
> {
  return {
    works: workRows(decided.works),
    endorsements: endorsementRows(decided.endorsements),
    delegated: delegationTaskRows(decided.delegated, newId),
    ...agentRows(decided, before),
  }
}
