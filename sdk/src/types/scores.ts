import type { Schema } from '../schema.ts'

export interface Score extends Schema<'Score'> {}
export type Classification = Score['classification']
export type Confidence = Score['confidence']
export interface Breakdown extends Schema<'Breakdown'> {}
export interface DimensionScore extends Schema<'DimensionScore'> {}
/** How likely the next task and the next payment go well; null where nothing is known. */
export interface Forecast extends Schema<'Forecast'> {}
export type Prospect = NonNullable<Forecast['task']>
/** A score in one class of work, in addition to the score. */
export interface ClassScore extends Schema<'ClassScore'> {}
/** `at`: the score as of that instant. `taskClass`: also the score in that class of work. */
export type ScoreQuery = Schema<'getScoreQuery'>
/** What the events that await review would change. */
export interface QuarantinedScore extends Schema<'QuarantinedScore'> {}
export interface Snapshot extends Schema<'Snapshot'> {}
/** The score at evenly spaced times. */
export interface ScoreSeries extends Schema<'ScoreSeries'> {}
export type SeriesQuery = Schema<'getScoreSeriesQuery'>
export type ClassificationTier = Schema<'Classifications'>['data'][number]

/** A signed score. With the export of the events, `standing verify` recomputes it. */
export interface ScoreReceipt extends Schema<'Receipt'> {}
/** Public keys as a JWK Set; `kid` is the service's DID and the key's thumbprint. */
export interface ReceiptKeySet extends Schema<'ReceiptKeySet'> {}

/** Why the score is what it is, and what would move it. */
export interface ScoreExplanation extends Schema<'ScoreExplanation'> {}
export type ExplanationQuery = Schema<'explainScoreQuery'>
/** `start`, `time`, `correction` and the dimensions (or types, or reporters) sum to the score. */
export type Contributions = Omit<ScoreExplanation['contributions'], 'start'>
export type Reason = ScoreExplanation['reasons'][number]
/** The events that changed the score most. For the agent itself, its owner and the operator. */
export type StrongestEvents = NonNullable<ScoreExplanation['events']>
export type Move = StrongestEvents['up'][number]

/** Score, status and proven names, signed for an hour. */
export interface Attestation extends Schema<'Attestation'> {}
