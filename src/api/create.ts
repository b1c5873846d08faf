import type { Log } from '../lib/log.ts'
import { freshness } from '../store/freshness.ts'
import type { ChangeFeed, Store } from '../store/store.ts'
import { createPolicyCache, type PolicyCache } from './decisions/policy-cache.ts'
import { createEventStreams, type EventStreams } from './events/streams.ts'
import { createLookupCache, type LookupCache } from './lookup/lookup-cache.ts'
import { createOpenExports, type OpenExports } from './open-exports.ts'
import { createProfiles, type Profiles } from './profiles/profile.ts'
import { createScoreCache, type ScoreCache } from './scores/score-cache.ts'

export interface ApiStateOptions {
  readonly store: Store
  readonly now: () => number
  readonly changes: ChangeFeed
  /** Whether a credential still identifies a caller. */
  readonly isValid: (credential: string) => Promise<boolean>
  readonly log: Log
}

/** What handlers keep between requests: the caches of what is read most, and the responses that go on. */
export interface ApiState {
  readonly scores: ScoreCache
  readonly names: LookupCache
  readonly policies: PolicyCache
  readonly profiles: Profiles
  readonly streams: EventStreams
  readonly openExports: OpenExports
}

export function createApiState(options: ApiStateOptions): ApiState {
  const { store, now, changes, isValid, log } = options
  const freshMs = freshness(changes)
  const scores = createScoreCache({ store, now, freshMs })
  return {
    scores,
    names: createLookupCache({ store, scores, now, freshMs }),
    policies: createPolicyCache({ store, now, freshMs }),
    profiles: createProfiles({ store, now, scores }),
    streams: createEventStreams({
      store,
      changes,
      isValid,
      onError: (err, agentId) =>
        log.warn({ err, agentId }, 'a stream of events ended, because they cannot be read'),
    }),
    openExports: createOpenExports(),
  }
}
