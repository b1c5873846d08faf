import type { PolicyCache } from './api/decisions/policy-cache.ts'
import type { LookupCache } from './api/lookup/lookup-cache.ts'
import type { ScoreCache } from './api/scores/score-cache.ts'
import type { Authenticator } from './auth/authenticate.ts'
import type { RuleBook } from './reviews/rule-book.ts'
import type { ChangeFeed } from './store/store.ts'

interface Caches {
  readonly authenticator: Authenticator
  readonly scores: ScoreCache
  readonly names: LookupCache
  readonly policies: PolicyCache
  readonly rules: RuleBook
}

/** The one place where caches are invalidated, by the changes of this node and of other nodes. */
export function invalidateOnChange(
  changes: ChangeFeed,
  { authenticator, scores, names, policies, rules }: Caches,
): void {
  changes.subscribe((change) => {
    switch (change.kind) {
      case 'callers':
        for (const id of change.ids) {
          authenticator.invalidate(id)
          scores.invalidate(id)
          names.invalidateAgent(id)
        }
        return
      case 'identifiers':
        for (const value of change.ids) {
          names.invalidateValue(value)
        }
        return
      case 'policies':
        for (const holder of change.ids) {
          policies.invalidate(holder)
        }
        return
      case 'scores':
        for (const id of change.ids) {
          scores.invalidate(id)
        }
        return
      case 'rules':
        return rules.invalidate()
      case 'signing_keys':
        return authenticator.invalidateKeys()
      case 'unknown':
        authenticator.clear()
        scores.clear()
        names.clear()
        policies.clear()
        rules.invalidate()
    }
  })
}
