import { TrustError } from '../domain/error.ts'
import type { Model } from '../domain/model.ts'
import type { RuleSettings } from '../fraud/rules.ts'
import { hexOf } from '../lib/hex.ts'
import type {
  IngestEvents,
  IngestResult,
  IngestScope,
  IngestView,
  Store,
  StoredResponse,
} from '../store/store.ts'
import type { ScoreDrop } from './batch-state.ts'
import { decide, type Given, type IngestLimits } from './decide.ts'
import { foldEvent } from './fold.ts'
import { asReport, type OwnEvent, type OwnReport, ownerReport } from './own-report.ts'
import {
  contentDigest,
  credentialIdsOf,
  externalNamesOf,
  type Report,
  type ReportOutcome,
  workKindsOf,
} from './report.ts'

/** What recording needs besides the store: the sources of time and ids, limits and rules. */
export interface Recorder {
  readonly now: () => number
  readonly newId: () => string
  readonly model: Model
  readonly limits: IngestLimits
  readonly rules: { current(store: Store): Promise<RuleSettings> }
  /** Revokes, in the same transaction, the score credentials that claim more than these scores. */
  readonly onScoreDrops: (within: Store, drops: readonly ScoreDrop[]) => Promise<void>
}

/** A report, and how the one who sent it is answered. */
export interface Submission<T> {
  readonly report: Report
  /** Where the response is stored for the request's Idempotency-Key; null where it has none. */
  readonly idempotencyScope: Uint8Array | null
  /** The response of an earlier request with this key; null where this one is to be carried out. */
  readonly earlier: (stored: StoredResponse | 'busy' | undefined) => T | TrustError | null
  /** Called in the transaction, between decide and write, and again when the transaction is retried. */
  readonly respond: (outcome: ReportOutcome) => Settled<T>
}

export interface Settled<T> {
  readonly response: T | TrustError
  /** Written in the transaction of the effect; null where nothing is stored. */
  readonly stored: StoredResponse | null
}

/** A report without an Idempotency-Key, answered with its outcome. */
export function withoutKey(report: Report): Submission<ReportOutcome> {
  return {
    report,
    idempotencyScope: null,
    earlier: () => null,
    respond: (outcome) => ({ response: outcome, stored: null }),
  }
}

export interface Recorded<T> extends IngestResult {
  readonly scoreDrops: readonly ScoreDrop[]
  /** One for each submission in order; null where another transaction has the agent locked. */
  readonly responses: readonly (T | TrustError | null)[]
}

export interface RecordOptions {
  /** Leaves reports about agents that another transaction has locked unanswered. */
  readonly skipsLocked: boolean
  /** Stores the events; default that of the store. */
  readonly ingest?: IngestEvents
}

/** Decides on reports and writes what follows, in a transaction of its own or in the one of `store`. */
export async function recordReports<T>(
  store: Store,
  recorder: Recorder,
  submissions: readonly Submission<T>[],
  { skipsLocked, ingest = store.events.ingest }: RecordOptions,
): Promise<Recorded<T>> {
  const { now, newId, model, limits, rules, onScoreDrops } = recorder
  const settings = await rules.current(store)
  const reports = submissions.map(({ report }) => report)
  const reportKeys = submissions.flatMap(({ report: { agentId }, idempotencyScope: scope }) =>
    scope === null ? [] : [{ agentId, scope }],
  )
  return ingest(
    scopeOf(reports, limits, { reportKeys, skipsLocked }),
    (view) => {
      const given = { now: now(), newId, model, limits, settings, contentDigest, fold: foldEvent }
      return answer(view, submissions, given)
    },
    {
      isNeeded: ({ scoreDrops }) => scoreDrops.length > 0,
      run: (within, { scoreDrops }) => onScoreDrops(within, scoreDrops),
    },
  )
}

/** Records what the service itself did, in the transaction in which it did it. */
export function recordOwnEvent(within: Store, recorder: Recorder, event: OwnEvent): Promise<void> {
  return recordOwnReports(within, recorder, [ownerReport(event)])
}

/** Records reports about several agents, whose states are locked in the order of all transactions. */
export async function recordOwnReports(
  within: Store,
  recorder: Recorder,
  reports: readonly OwnReport[],
): Promise<void> {
  const submissions = reports.map((report) => withoutKey(asReport(report)))
  const { responses } = await recordReports(within, recorder, submissions, { skipsLocked: false })
  for (const response of responses) {
    if (response instanceof TrustError) {
      throw response
    }
    if (response && 'refusal' in response) {
      throw response.refusal
    }
  }
}

/** Answers what is answered already, decides on the rest, and settles a response for each outcome. */
function answer<T>(
  view: IngestView,
  submissions: readonly Submission<T>[],
  given: Given,
): Recorded<T> {
  const earlier = submissions.map((one) => one.earlier(storedResponseOf(view, one)))
  const open = submissions.filter(
    ({ report }, i) => earlier[i] === null && !view.lockedElsewhere.has(report.agentId),
  )
  const { outcomes, writes } = decide(
    view,
    open.map(({ report }) => report),
    given,
  )
  const settled = new Map<Submission<T>, Settled<T>>()
  for (const [i, outcome] of outcomes.entries()) {
    const submission = open[i]
    if (submission) {
      settled.set(submission, submission.respond(outcome))
    }
  }
  // Added to the writes: where fields follow a spread, V8 (Node 20) gives each object a shape of its own.
  return Object.assign(writes, {
    storedResponses: [...settled].flatMap(([{ report }, { stored }]) =>
      stored === null ? [] : [{ agentId: report.agentId, ...stored }],
    ),
    responses: submissions.map((one, i) => earlier[i] ?? settled.get(one)?.response ?? null),
  })
}

function storedResponseOf<T>(
  { storedResponses }: IngestView,
  { idempotencyScope }: Submission<T>,
): StoredResponse | 'busy' | undefined {
  return idempotencyScope ? storedResponses.get(hexOf(idempotencyScope)) : undefined
}

/** What the reports touch: the transaction reads and locks it. */
export function scopeOf(
  reports: readonly Report[],
  { rateLimits }: Pick<IngestLimits, 'rateLimits'>,
  {
    reportKeys,
    skipsLocked,
  }: Required<Pick<IngestScope, 'reportKeys' | 'skipsLocked'>> = NOT_KEYED,
): IngestScope {
  const byPlatform = reports.filter(({ reporter }) => reporter.kind === 'platform')
  const platformIds = unique(byPlatform.map(({ reporter }) => reporter.id))
  return {
    agentIds: unique(reports.map(({ agentId }) => agentId)),
    platformIds: rateLimits ? platformIds : [],
    reporterIds: platformIds,
    needsEstablished: byPlatform.some(({ reporterVerified }) => !reporterVerified),
    endorsers: byPlatform.flatMap(({ reporterOwnerId: ownerId, agentId }) =>
      ownerId === null ? [] : [{ ownerId, agentId }],
    ),
    externalIds: reports.flatMap(externalNamesOf),
    workKinds: unique(byPlatform.flatMap(workKindsOf)),
    credentialIds: unique(byPlatform.flatMap(credentialIdsOf)),
    reportKeys,
    skipsLocked,
  }
}

const NOT_KEYED = { reportKeys: [], skipsLocked: false }

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
