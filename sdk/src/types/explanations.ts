import type { AgentStatus } from './agents.ts'
import type { Dimension, EventRecord, EventType } from './events.ts'
import type { Classification, Confidence } from './scores.ts'
import type { Timestamp } from './wire.ts'

/** What is asked of an explanation besides. */
export interface ExplanationQuery {
  /** The id of a snapshot: why the score moved since. */
  readonly since?: string | undefined
  /** The id of an event: the score without it. For the agent itself, its owner and the operator. */
  readonly without?: string | undefined
  /** `task.completed:10,payment.completed:5`: the score after so many more now. */
  readonly more?: string | undefined
}

export interface Contribution {
  readonly events: number
  readonly points: number
}

/** `time`, `correction` and the dimensions (or types, or reporters) sum exactly. */
export interface Contributions {
  /** What the passing of days brought and took. */
  readonly time: number
  /** Where the score told is not what the log gives under the model in force; else 0. */
  readonly correction: number
  readonly dimensions: readonly (Contribution & { readonly dimension: Dimension })[]
  readonly types: readonly (Contribution & { readonly type: EventType })[]
  /** Only for the agent itself, its owner and the operator. Null: all those not named. */
  readonly reporters?: readonly (Contribution & {
    readonly reporter: EventRecord['reporter'] | null
  })[]
}

export interface Move {
  readonly id: string
  readonly type: EventType
  readonly points: number
  readonly createdAt: Timestamp
}

/** The strongest first. Only for the agent itself, its owner and the operator. */
export interface StrongestEvents {
  readonly up: readonly Move[]
  readonly down: readonly Move[]
}

export interface Reason {
  readonly code: string
  readonly effect: 'lowers' | 'raises' | 'limits'
  readonly sentence: string
}

export interface ScoreExplanation {
  readonly agentId: string
  readonly score: number
  readonly classification: Classification
  readonly confidence: Confidence
  readonly status: AgentStatus
  /** `start` and the others sum to the score. */
  readonly contributions: Contributions & { readonly start: number }
  readonly reasons: readonly Reason[]
  /** Null at the top. */
  readonly nextTier: {
    readonly classification: Classification
    readonly min: number
    readonly pointsMissing: number
    /** The shortest first. */
    readonly ways: readonly {
      readonly type: EventType
      /** Null: all of them now. */
      readonly perDay: number | null
      readonly events: number
      readonly days: number
    }[]
  } | null
  /** How much may go wrong before it falls out of its tier; null at the bottom. */
  readonly errorBudget: {
    readonly classification: Classification
    readonly pointsLeft: number
    readonly failures: readonly { readonly type: EventType; readonly events: number | null }[]
  } | null
  readonly after: readonly {
    readonly type: EventType
    readonly count: number
    readonly score: number
    readonly difference: number
  }[]
  readonly events?: StrongestEvents
  readonly since?: {
    readonly snapshot: {
      readonly id: string
      readonly score: number
      readonly createdAt: Timestamp
    }
    readonly difference: number
    /** They sum to the difference. */
    readonly contributions: Contributions
    readonly events?: StrongestEvents
  }
  readonly without?: {
    readonly eventId: string
    readonly counts: boolean
    readonly score: number
    readonly difference: number
  }
  readonly modelVersion: string
  readonly computedAt: Timestamp
}
