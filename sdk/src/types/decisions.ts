import type { Schema } from '../schema.ts'

/** Whether to deal with an agent, and why. */
export interface Decision extends Schema<'Decision'> {}
export type Verdict = Decision['decision']
export type DecisionReason = Decision['reasons'][number]
/** Either `agentId` or `identifier`; `policy` is a stored name or a policy. */
export interface DecisionRequest extends Schema<'DecisionRequest'> {}

/** A decision that a platform asked for. */
export interface PastDecision extends Schema<'PastDecision'> {}

/** The requirements of an account for agents that it deals with. */
export interface Policy extends Schema<'Policy'> {}
/** Fields that are left out have their defaults. */
export interface PolicyInput extends Schema<'PolicyInput'> {}
/** `policy` replaces the stored one. */
export interface BacktestInput extends Schema<'Backtest'> {}
/** What a policy would have decided on a platform's own history. */
export interface BacktestResult extends Schema<'BacktestResult'> {}
