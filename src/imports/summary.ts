import { problemsOf, TrustError } from '../domain/error.ts'
import type { Model } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import type { ReportOutcome } from '../ingest/report.ts'
import { type BoundedMap, createBoundedMap } from '../lib/bounded-map.ts'
import type { AgentState } from '../store/store.ts'

/** Problems that are listed; the others are counted. */
const ERRORS_MAX = 100

/** Agents whose scores are listed, the latest ones. */
const AGENTS_MAX = 1_000

/** What became of the lines of a past. */
export interface Summary {
  lines: number
  /** Events that count, those that are quarantined, and those that an earlier import brought. */
  imported: number
  quarantined: number
  alreadyImported: number
  refused: number
  readonly errors: LineError[]
  /** Their ids, in the order of their latest lines. */
  readonly agents: BoundedMap<string, true>
}

interface LineError {
  readonly line: number
  readonly code: string
  readonly message: string
}

export function newSummary(): Summary {
  return {
    lines: 0,
    imported: 0,
    quarantined: 0,
    alreadyImported: 0,
    refused: 0,
    errors: [],
    agents: createBoundedMap(AGENTS_MAX),
  }
}

/** Adds what became of one line. */
export function addOutcome(
  summary: Summary,
  line: number,
  outcome: ReportOutcome | TrustError,
): void {
  if (outcome instanceof TrustError) {
    addError(summary, line, outcome)
    return
  }
  if ('refusal' in outcome) {
    addError(summary, line, outcome.refusal)
    return
  }
  for (const one of outcome.events) {
    if ('refusal' in one) {
      addError(summary, line, one.refusal)
    } else if (!one.isNew) {
      summary.alreadyImported += 1
    } else if (one.event.isQuarantined) {
      summary.quarantined += 1
    } else {
      summary.imported += 1
    }
  }
}

function addError(summary: Summary, line: number, error: TrustError): void {
  summary.refused += 1
  if (summary.errors.length < ERRORS_MAX) {
    summary.errors.push({ line, code: error.code, message: problemsOf(error) })
  }
}

/** Computed once, when all lines are read. */
export function scoresOf(
  { agents }: Summary,
  states: ReadonlyMap<string, AgentState>,
  model: Model,
  at: number,
): readonly AgentScore[] {
  return [...agents].flatMap(([agentId]) => {
    const state = states.get(agentId)
    return state ? [{ agentId, score: scoreAt(model, state.evidence, at).score }] : []
  })
}

export interface AgentScore {
  readonly agentId: string
  readonly score: number
}
