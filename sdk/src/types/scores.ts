import type { AgentStatus } from './agents.ts'
import type { Dimension, EventType } from './events.ts'
import type { Timestamp } from './wire.ts'

export type Classification = 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
export type Confidence = 'low' | 'medium' | 'high'
export interface DimensionScore {
  readonly score: number
  /** The share it has by definition: 0.40, 0.35 or 0.25. */
  readonly weight: number
  /** The share it has here, where a dimension without evidence lends some of its own. */
  readonly effectiveWeight: number
  readonly eventCount: number
}
export type Breakdown = Readonly<Record<Dimension, DimensionScore>>

/** How likely the next one goes well; not the score, which asks for evidence. */
export interface Prospect {
  readonly probability: number
  /** The true rate lies between these with 90 % probability. */
  readonly low: number
  readonly high: number
}

/** Null where nothing is known. */
export interface Forecast {
  /** The next task succeeds. */
  readonly task: Prospect | null
  /** The next payment is made, on time. */
  readonly payment: Prospect | null
}
export interface Score {
  readonly agentId: string
  /** 0 to 1000. */
  readonly score: number
  readonly classification: Classification
  readonly confidence: Confidence
  readonly eventCount: number
  readonly breakdown: Breakdown
  readonly interval: { readonly low: number; readonly high: number }
  readonly evidence: {
    readonly platformReported: number
    readonly selfReported: number
    readonly quarantined: number
  }
  readonly forecast: Forecast
  readonly status: AgentStatus
  readonly modelVersion: string
  readonly computedAt: Timestamp
  /** Only of a past score: when a review changed what had gone into it; null where none did. */
  readonly correctedAt?: Timestamp | null
}
export interface ScoreQuery {
  /** The score as of this instant. */
  readonly at?: Timestamp | undefined
}
/** What the events that await review would change. */
export interface QuarantinedScore {
  readonly quarantinedEvents: number
  readonly current: Score
  readonly withQuarantined: Score
}
export interface ScoreBatch {
  /** In the order asked, each agent once. */
  readonly data: readonly Score[]
  readonly notFound: readonly string[]
}
export interface Snapshot {
  readonly id: string
  readonly agentId: string
  readonly score: number
  readonly classification: Classification
  readonly confidence: Confidence
  readonly eventCount: number
  readonly breakdown: Breakdown
  /** What moved the score; `model`: the same events, folded again by the model that took over. */
  readonly trigger: {
    readonly kind: 'event' | 'review' | 'model'
    readonly id: string
    readonly type: EventType
  }
  readonly modelVersion: string
  readonly createdAt: Timestamp
  /** When a review changed what had gone into this score; null where none did. */
  readonly correctedAt: Timestamp | null
}
/** A signed score: `standing verify` holds the receipt against the export of the events. */
export interface ScoreReceipt {
  /** A JWS of type `standing-receipt+jwt`. */
  readonly receipt: string
  /** What it says, for reading. */
  readonly payload: {
    readonly iss: string
    readonly sub: string
    readonly iat: number
    /** The moment that the score is of, in milliseconds since 1970. */
    readonly at: number
    readonly score: Omit<
      Score,
      'agentId' | 'status' | 'computedAt' | 'correctedAt' | 'evidence' | 'forecast'
    > & {
      readonly evidence: Omit<Score['evidence'], 'quarantined'>
    }
    readonly events: number
    readonly chain: string
    readonly evidence: string
    readonly model: { readonly version: string; readonly hash: string }
    readonly registration: {
      readonly agentId: string
      readonly registeredAt: number
      readonly startsAtMost: number
    }
  }
}
/** Public keys as a JWK Set; `kid` is the service's DID and the key's thumbprint. */
export interface ReceiptKeySet {
  readonly keys: readonly {
    readonly kty: 'OKP'
    readonly crv: 'Ed25519'
    readonly x: string
    readonly kid: string
    readonly alg: 'EdDSA'
    readonly use: 'sig'
  }[]
}
export interface ClassificationTier {
  readonly label: Classification
  readonly name: string
  readonly min: number
  readonly max: number
  readonly meaning: string
}
