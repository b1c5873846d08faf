import { accessRules } from './rules-access.ts'
import { credentialRules } from './rules-credentials.ts'
import { eventRules } from './rules-events.ts'
import { scoreRules } from './rules-scores.ts'
import type { World } from './world.ts'

/** A rule of the interface, tried from outside. */
export interface Rule {
  /** Where the interface says it. */
  readonly section: string
  readonly rule: string
  /** Whether it takes the key of a platform, which the interface gives no way to get. */
  readonly needsPlatform?: true
  /** @throws Difference where the service does not follow the rule */
  readonly run: (world: World) => Promise<void>
}

export const RULES: readonly Rule[] = [
  ...accessRules,
  ...scoreRules,
  ...eventRules,
  ...credentialRules,
]
