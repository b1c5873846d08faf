import type { RecordedEvent } from '../domain/agent.ts'
import { type HourCount, NO_HOUR } from '../domain/limits.ts'
import type { Notification } from '../domain/notification.ts'
import type { Endorsement } from '../fraud/endorsements.ts'
import type { ReporterStats } from '../fraud/reporter-stats.ts'
import type {
  AgentState,
  IngestResult,
  IngestView,
  NamedEvent,
  Snapshot,
  StoredResponse,
} from '../store/store.ts'

/** A score that fell below what a living score credential claims. */
export interface ScoreDrop {
  readonly agentId: string
  readonly score: number
  readonly at: number
}

/** The view as it changes while one event after the other is folded, and what is to be written. */
export interface BatchState {
  readonly agentStates: Map<string, AgentState>
  readonly platformHours: Map<string, HourCount>
  readonly reporters: Map<string, ReporterStats>
  readonly reported: Set<string>
  endorsements: readonly Endorsement[]
  newEndorsements: readonly Endorsement[]
  readonly known: Map<string, { readonly event: RecordedEvent; readonly digest: Uint8Array }>
  readonly storedResponses: Map<string, StoredResponse | 'busy'>
  readonly touched: Set<string>
  readonly counted: Set<string>
  readonly events: NamedEvent[]
  readonly snapshots: Snapshot[]
  readonly notifications: Notification[]
  readonly responsesToStore: StoredResponse[]
  readonly scoreDrops: ScoreDrop[]
}

export function batchStateOf(view: IngestView): BatchState {
  return {
    agentStates: new Map(view.agentStates),
    platformHours: new Map(view.platformHours),
    reporters: new Map(view.reporters),
    reported: new Set(),
    endorsements: view.endorsements,
    newEndorsements: [],
    known: new Map(view.known),
    storedResponses: new Map(view.storedResponses),
    touched: new Set(),
    counted: new Set(),
    events: [],
    snapshots: [],
    notifications: [],
    responsesToStore: [],
    scoreDrops: [],
  }
}

/** What there is to write once all is folded. */
export function resultOf(draft: BatchState): IngestResult {
  return {
    agentStates: pick(draft.agentStates, draft.touched).map(([, agentState]) => agentState),
    platformHours: [...draft.counted].map((platformId) => ({
      platformId,
      hour: draft.platformHours.get(platformId) ?? NO_HOUR,
    })),
    reporters: pick(draft.reporters, draft.reported).map(([platformId, record]) => ({
      platformId,
      record,
    })),
    endorsements: draft.newEndorsements,
    events: draft.events,
    snapshots: draft.snapshots,
    notifications: draft.notifications,
    storedResponses: draft.responsesToStore,
  }
}

function pick<T>(all: ReadonlyMap<string, T>, names: ReadonlySet<string>): readonly [string, T][] {
  return [...all].filter(([name]) => names.has(name))
}
