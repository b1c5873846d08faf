import type { CallOptions } from '../call.ts'
import { ANYONE, batches, type Calls } from '../calls.ts'
import type { Listing } from '../page.ts'
import type { Schema } from '../schema.ts'
import type {
  Attestation,
  ClassificationTier,
  ExplanationQuery,
  QuarantinedScore,
  RangeQuery,
  ReceiptKeySet,
  Score,
  ScoreExplanation,
  ScoreQuery,
  ScoreReceipt,
  ScoreSeries,
  SeriesQuery,
  Snapshot,
} from '../types.ts'
import { path } from '../url.ts'

type ScoreBatch = Schema<'ScoreBatchAnswer'>

export type Scores = ReturnType<typeof scoreCalls>

export function scoreCalls({ read, ask, list }: Calls) {
  return {
    /**
     * Now, or, with `at`, as of an instant since the agent's registration; with `taskClass` also in one
     * class of work.
     */
    get: (agentId: string, { signal, ...query }: CallOptions & ScoreQuery = {}): Promise<Score> =>
      read(path`/v1/agents/${agentId}/score`, ANYONE, { signal }, { ...query }),
    /** The agent itself, its owner or the operator: as it is, and as it would be with what is quarantined. */
    getQuarantined: (agentId: string, options?: CallOptions): Promise<QuarantinedScore> =>
      read(
        path`/v1/agents/${agentId}/score/quarantined`,
        ['token', 'apiKey', 'operatorKey'],
        options,
      ),
    getHistory: (agentId: string, query?: RangeQuery, options?: CallOptions): Listing<Snapshot> =>
      list(path`/v1/agents/${agentId}/score/history`, ANYONE, query, options),
    /** The score with its interval at evenly spaced times: all that a chart needs, in one request. */
    getSeries: (
      agentId: string,
      { signal, ...query }: CallOptions & SeriesQuery = {},
    ): Promise<ScoreSeries> =>
      read(path`/v1/agents/${agentId}/score/series`, ANYONE, { signal }, { ...query }),
    /**
     * Why the score is what it is, and what would move it. Who reported, and which events moved it
     * most, is for the agent itself, its owner and the operator.
     */
    explain: (
      agentId: string,
      { signal, ...query }: CallOptions & ExplanationQuery = {},
    ): Promise<ScoreExplanation> =>
      read(path`/v1/agents/${agentId}/score/explanation`, ANYONE, { signal }, { ...query }),
    /** The score, signed, with what it takes to compute it again from `events.export`. */
    getReceipt: (agentId: string, options?: CallOptions): Promise<ScoreReceipt> =>
      read(path`/v1/agents/${agentId}/score/receipt`, ANYONE, options),
    /** What is known of the agent now, as a signed credential that is good for an hour. */
    getAttestation: (agentId: string, options?: CallOptions): Promise<Attestation> =>
      read(path`/v1/agents/${agentId}/attestation`, ANYONE, options),
    /** The keys that receipts are signed with. */
    receiptKeys: (options?: CallOptions): Promise<ReceiptKeySet> =>
      read('/v1/receipts/keys', ANYONE, options),
    /**
     * Scores by agent id, in the order given: any number, a request for each hundred. An agent that
     * does not exist is not in the map.
     */
    async getBatch(
      agentIds: readonly string[],
      options?: CallOptions,
    ): Promise<ReadonlyMap<string, Score>> {
      const scores = new Map<string, Score>()
      for (const batch of batches([...new Set(agentIds)])) {
        const body = { agentIds: batch }
        const { data } = await ask<ScoreBatch>('/v1/scores/batch', ANYONE, body, options)
        for (const score of data) {
          scores.set(score.agentId, score)
        }
      }
      return scores
    },
    /** The tiers and what they mean, best first. */
    async classifications(options?: CallOptions): Promise<readonly ClassificationTier[]> {
      const path = '/v1/scores/classifications'
      return (await read<{ readonly data: readonly ClassificationTier[] }>(path, ANYONE, options))
        .data
    },
  }
}
