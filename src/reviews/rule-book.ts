import { createHmac } from 'node:crypto'
import type { Rule } from '../fraud/rule.ts'
import { RULES, type RuleSetting, type RuleSettings } from '../fraud/rules.ts'
import type { Vault } from '../lib/vault.ts'
import type { RuleRow, Store } from '../store/store.ts'

/** The anti-fraud rules as they are applied here: the operator's settings, and the defaults. */
export interface RuleBook {
  /**
   * Reads with the store of the caller: code that has a connection must not wait for another one,
   * or all of it could wait for each other.
   */
  current(store: Store): Promise<RuleSettings>
  /** How a rule is applied, given the operator's settings for it. */
  settingOf(rule: Rule, row: RuleRow | undefined): RuleSetting
  /** Drops the cached settings, because they have changed. */
  invalidate(): void
}

/** Settings read this long ago are read again: another node may have changed them. */
const FRESH_MS = 1_000

export interface RuleBookOptions {
  readonly vault: Pick<Vault, 'key'>
  readonly now: () => number
}

export function createRuleBook({ vault, now }: RuleBookOptions): RuleBook {
  const jitterOf = createJitter(vault.key('fraud thresholds'))
  const settingOf = (rule: Rule, row: RuleRow | undefined): RuleSetting => ({
    mode: row?.mode ?? rule.mode,
    threshold: row?.threshold ?? (rule.threshold?.value ?? 0) * jitterOf(rule.id),
  })
  let known: { readonly settings: RuleSettings; readonly at: number } | null = null
  return {
    settingOf,
    async current(store) {
      const at = now()
      if (known && at - known.at < FRESH_MS) {
        return known.settings
      }
      const rows = new Map((await store.rules.findAll({})).map((row) => [row.rule, row]))
      const settings = new Map(RULES.map((rule) => [rule.id, settingOf(rule, rows.get(rule.id))]))
      known = { settings, at }
      return known.settings
    },
    invalidate() {
      known = null
    },
  }
}

/**
 * Every installation has its own thresholds, up to a tenth higher or lower, so that those found out
 * by trial on one say little about another (A19). All nodes of an installation derive the same.
 */
const JITTER = 0.1

function createJitter(key: Uint8Array): (rule: string) => number {
  return (rule) => {
    const share = createHmac('sha256', key).update(rule).digest().readUInt32BE() / 2 ** 32
    return 1 - JITTER + 2 * JITTER * share
  }
}
