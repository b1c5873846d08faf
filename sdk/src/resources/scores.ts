import { batches, type Calls } from '../calls.ts'
import type { CredentialKind } from '../credentials.ts'
import type { Listing } from '../page.ts'
import type { CallOptions } from '../transport.ts'
import type {
  ClassificationTier,
  ExplanationQuery,
  QuarantinedScore,
  RangeQuery,
  ReceiptKeySet,
  Score,
  ScoreBatch,
  ScoreExplanation,
  ScoreQuery,
  ScoreReceipt,
  Snapshot,
} from '../types.ts'
import { path } from '../url.ts'

export type Scores = ReturnType<typeof scoreCalls>

/** Scores are public; who says who he is has his own quota of lookups instead of his address's. */
const ANYONE: readonly CredentialKind[] = ['apiKey', 'token', 'operatorKey']

export function scoreCalls({ read, ask, list }: Calls) {
  return {
    /** Now, or, with `at`, as of an instant since the agent's registration. */
    get: (agentId: string, options: CallOptions & ScoreQuery = {}): Promise<Score> =>
      read(path`/v1/agents/${agentId}/score`, ANYONE, options, { at: options.at }),
    /** The agent itself or its owner: as it is, and as it would be if what is held counted. */
    getQuarantined: (agentId: string, options?: CallOptions): Promise<QuarantinedScore> =>
      read(
        path`/v1/agents/${agentId}/score/quarantined`,
        ['token', 'apiKey', 'operatorKey'],
        options,
      ),
    getHistory: (agentId: string, query?: RangeQuery, options?: CallOptions): Listing<Snapshot> =>
      list(path`/v1/agents/${agentId}/score/history`, ANYONE, query, options),
    /**
     * Why the score is what it is, and what would move it. The agent itself, its owner and the
     * operator are told who reported and which events moved it most.
     */
    explain: (
      agentId: string,
      { signal, ...query }: CallOptions & ExplanationQuery = {},
    ): Promise<ScoreExplanation> =>
      read(path`/v1/agents/${agentId}/score/explanation`, ANYONE, { signal }, { ...query }),
    /** The score, signed, with what it takes to compute it again from `events.export`. */
    getReceipt: (agentId: string, options?: CallOptions): Promise<ScoreReceipt> =>
      read(path`/v1/agents/${agentId}/score/receipt`, ANYONE, options),
    /** The keys that receipts are signed with. */
    receiptKeys: (options?: CallOptions): Promise<ReceiptKeySet> =>
      read('/v1/receipts/keys', ANYONE, options),
    /** Any number of agents, a request for each hundred. */
    async getBatch(agentIds: readonly string[], options?: CallOptions): Promise<ScoreBatch> {
      const ids = [...new Set(agentIds)]
      const answers: ScoreBatch[] = []
      for (const batch of batches(ids)) {
        answers.push(await ask('/v1/scores/batch', ANYONE, { agentIds: batch }, options))
      }
      return {
        data: answers.flatMap((answer) => answer.data),
        notFound: answers.flatMap((answer) => answer.notFound),
      }
    },
    /** The tiers and what they mean, best first. */
    async classifications(options?: CallOptions): Promise<readonly ClassificationTier[]> {
      const route = '/v1/scores/classifications'
      const answer = await read<{ data: readonly ClassificationTier[] }>(route, ANYONE, options)
      return answer.data
    },
  }
}
