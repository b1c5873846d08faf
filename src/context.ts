import type { Cursors } from './http/cursor.ts'
import type { Vault } from './lib/vault.ts'
import type { RuleBook } from './reviews/rule-book.ts'
import type { Store } from './store/store.ts'

/** What every resource is given: where things are kept, and where time, ids and secrets come from. */
export interface Context {
  readonly store: Store
  readonly vault: Vault
  readonly cursors: Cursors
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A UUIDv7. */
  readonly newId: () => string
  readonly policy: Policy
  /** The anti-fraud rules as they are applied here. */
  readonly rules: RuleBook
}

/** What whoever runs the service may set about it. */
export interface Policy {
  readonly eventsPerAgentHour: number
  readonly eventsPerPlatformHour: number
  readonly occurredAtDays: number
  readonly rateLimits: boolean
  /** The ranges that webhooks may reach besides public addresses. */
  readonly webhookAllow: readonly string[]
}
