import { contributionsOf, shownMove } from '../../core/explain.ts'
import { mainReporter } from '../../core/ledger.ts'
import {
  errorBudget,
  nextTier,
  type Outlook,
  type Supposition,
  scoreAfter,
} from '../../core/outlook.ts'
import { REASONS, reasonsOf } from '../../core/reasons.ts'
import type { RecordedEvent } from '../../core/record.ts'
import { scoreAt } from '../../core/score.ts'
import type { Snapshot, Standing, Store } from '../../store/store.ts'
import type { Gate } from '../gate.ts'
import { time } from '../wire.ts'
import { type Account, accountOf, type Questions } from './account.ts'

/** The explanations asked for lately: the next one who asks costs no reading of the log. */
export interface Explanations {
  explain(standing: Standing, at: number): Promise<Explanation>
  since(standing: Standing, at: number, snapshot: Snapshot): Promise<SinceAnswer>
  without(standing: Standing, at: number, event: RecordedEvent): Promise<WithoutAnswer>
}

export type Explanation = ReturnType<typeof present>
type SinceAnswer = ReturnType<typeof presentSince>
type WithoutAnswer = ReturnType<typeof presentWithout>

/** At some 5 KB each this is a few megabytes; the oldest give way. */
const REMEMBERED_MAX = 1_000

/** Asked of every explanation: a few more good ones, and one more failure. */
export const SUPPOSED_ALWAYS: readonly Supposition[] = [
  { type: 'task.completed', count: 10 },
  { type: 'payment.completed', count: 10 },
  { type: 'credential.issued', count: 1 },
  { type: 'task.failed', count: 1 },
]

const DAY_MS = 86_400_000

/** Whoever reports an event that is only supposed, where no platform was heard before. */
const SOME_PLATFORM = 'a platform'

export function createExplanations(store: Store, refolds: Gate): Explanations {
  const remembered = new Map<string, { tag: string; explanation: Explanation }>()
  const account = (standing: Standing, at: number, questions: Partial<Questions> = {}) =>
    refolds.run(() => accountOf(store, standing, at, { since: null, without: null, ...questions }))
  return {
    async explain(standing, at) {
      const tag = explanationTag(standing, at)
      const known = remembered.get(standing.agentId)
      if (known?.tag === tag) return known.explanation
      const explanation = present(standing, at, await account(standing, at))
      remembered.delete(standing.agentId)
      remembered.set(standing.agentId, { tag, explanation })
      const [oldest] = remembered.keys()
      if (remembered.size > REMEMBERED_MAX && oldest) remembered.delete(oldest)
      return explanation
    },
    async since(standing, at, snapshot) {
      return presentSince(standing, at, snapshot, await account(standing, at, { since: snapshot }))
    },
    async without(standing, at, event) {
      return presentWithout(standing, at, event, await account(standing, at, { without: event }))
    },
  }
}

/** All that an explanation is made of: the log as it was read, and the day. */
function explanationTag({ seq, quarantined, updatedAt }: Standing, at: number): string {
  return [seq, quarantined, updatedAt, Math.floor(at / DAY_MS)].join('-')
}

function present(standing: Standing, at: number, { whole }: Account) {
  const { agentId, evidence, quarantined, status } = standing
  const { score, classification, modelVersion, confidence } = scoreAt(evidence, at)
  const contributions = contributionsOf(whole, Math.round(whole.start), score)
  const { reporters, ...anyones } = contributions
  const outlook: Outlook = { evidence, at, reporter: mainReporter(whole) ?? SOME_PLATFORM }
  const reasons = reasonsOf({ ledger: whole, contributions, at, quarantined })
  return {
    /** For everyone. */
    shown: {
      agentId,
      score,
      classification,
      confidence,
      status,
      contributions: anyones,
      reasons: reasons.map((code) => ({ code, ...REASONS[code] })),
      nextTier: nextTier(outlook),
      errorBudget: errorBudget(outlook),
      modelVersion,
      computedAt: time(at),
    },
    /** For those who may read all. */
    reporters,
    events: { up: whole.up.map(presentMove), down: whole.down.map(presentMove) },
    outlook,
  }
}

function presentMove(move: Account['whole']['up'][number]) {
  const { at, ...rest } = shownMove(move)
  return { ...rest, createdAt: time(at) }
}

/** What the score would be after more events, all of them now. */
export function presentAfter({ shown, outlook }: Explanation, asked: readonly Supposition[]) {
  return asked.map(({ type, count }) => {
    const score = scoreAfter(outlook, { type, count })
    return { type, count, score, difference: score - shown.score }
  })
}

function presentSince(standing: Standing, at: number, snapshot: Snapshot, { since }: Account) {
  if (!since) throw new Error('an account since a snapshot was asked for and not made')
  const { score } = scoreAt(standing.evidence, at)
  const { reporters, start: _from, ...rest } = contributionsOf(since, snapshot.score, score)
  const { id, createdAt } = snapshot
  return {
    shown: {
      snapshot: { id, score: snapshot.score, createdAt: time(createdAt) },
      difference: score - snapshot.score,
      contributions: rest,
    },
    reporters,
    events: { up: since.up.map(presentMove), down: since.down.map(presentMove) },
  }
}

function presentWithout(standing: Standing, at: number, event: RecordedEvent, account: Account) {
  const evidence = account.without ?? standing.evidence
  const score = scoreAt(evidence, at).score
  const now = Math.round(account.whole.whole)
  return { eventId: event.id, counts: !event.isQuarantined, score, difference: score - now }
}
