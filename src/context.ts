import type { Cursors } from './http/cursor.ts'
import type { Vault } from './lib/vault.ts'
import type { RuleBook } from './reviews/rule-book.ts'
import type { Store } from './store/store.ts'

/** Time and ids come in from outside, so that a test can choose them. */
export interface Sources {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A UUIDv7. */
  readonly newId: () => string
}

/** What every handler is given; a service takes only what it uses of it. */
export interface HandlerContext extends Sources {
  readonly store: Store
  readonly cursors: Cursors
}

/** What the service is put together from. */
export interface Context extends HandlerContext {
  readonly vault: Vault
  readonly policy: Policy
  /** The anti-fraud rules with this installation's settings. */
  readonly rules: RuleBook
}

/** The settings that the operator may change. */
export interface Policy {
  readonly eventsPerAgentHour: number
  readonly eventsPerPlatformHour: number
  /** How far back `occurredAt` may lie. */
  readonly occurredAtDays: number
  readonly rateLimits: boolean
  /** Address ranges that webhooks may reach besides public ones. */
  readonly webhookAllow: readonly string[]
}
