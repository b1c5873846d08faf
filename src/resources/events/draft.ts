import { type HourCount, NO_HOUR } from '../../core/limits.ts'
import type { Notice } from '../../core/notices.ts'
import type { RecordedEvent } from '../../core/record.ts'
import type { ReporterRecord } from '../../fraud/reporter.ts'
import type { Vouch } from '../../fraud/vouch.ts'
import type {
  IngestResult,
  IngestView,
  KeptResponse,
  NamedEvent,
  Snapshot,
  Standing,
} from '../../store/store.ts'

/** A score that fell below what a living score credential claims. */
export interface Fall {
  readonly agentId: string
  readonly score: number
  readonly at: number
}

/** The view as it changes while one event after the other is folded, and what is to be written. */
export interface Draft {
  readonly standings: Map<string, Standing>
  readonly platformHours: Map<string, HourCount>
  readonly reporters: Map<string, ReporterRecord>
  readonly reported: Set<string>
  vouches: readonly Vouch[]
  newVouches: readonly Vouch[]
  readonly known: Map<string, { readonly event: RecordedEvent; readonly digest: Uint8Array }>
  readonly kept: Map<string, KeptResponse | 'busy'>
  readonly touched: Set<string>
  readonly counted: Set<string>
  readonly events: NamedEvent[]
  readonly snapshots: Snapshot[]
  readonly notices: Notice[]
  readonly keeps: KeptResponse[]
  readonly falls: Fall[]
}

export function draftOf(view: IngestView): Draft {
  return {
    standings: new Map(view.standings),
    platformHours: new Map(view.platformHours),
    reporters: new Map(view.reporters),
    reported: new Set(),
    vouches: view.vouches,
    newVouches: [],
    known: new Map(view.known),
    kept: new Map(view.kept),
    touched: new Set(),
    counted: new Set(),
    events: [],
    snapshots: [],
    notices: [],
    keeps: [],
    falls: [],
  }
}

/** What there is to write once all is folded. */
export function resultOf(draft: Draft): IngestResult {
  return {
    standings: pick(draft.standings, draft.touched).map(([, standing]) => standing),
    platformHours: [...draft.counted].map((platformId) => ({
      platformId,
      hour: draft.platformHours.get(platformId) ?? NO_HOUR,
    })),
    reporters: pick(draft.reporters, draft.reported).map(([platformId, record]) => ({
      platformId,
      record,
    })),
    vouches: draft.newVouches,
    events: draft.events,
    snapshots: draft.snapshots,
    notices: draft.notices,
    kept: draft.keeps,
  }
}

function pick<T>(all: ReadonlyMap<string, T>, names: ReadonlySet<string>): readonly [string, T][] {
  return [...all].filter(([name]) => names.has(name))
}
