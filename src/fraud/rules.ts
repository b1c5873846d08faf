import type { EventFinding } from '../domain/agent.ts'
import type { Rule, RuleInput, RuleMode } from './rule.ts'
import { attestationInvalid } from './rules/attestation.ts'
import { backdated } from './rules/backdated.ts'
import { burst } from './rules/burst.ts'
import { conflictingReport } from './rules/conflicting.ts'
import { contradictory } from './rules/contradictory.ts'
import { identicalEvent } from './rules/identical.ts'
import { implausible } from './rules/implausible.ts'
import { nearDuplicate } from './rules/near-duplicate.ts'
import { ownCredentials } from './rules/own-credentials.ts'
import { peerBurst } from './rules/peer-burst.ts'
import { selfDealing } from './rules/self-dealing.ts'
import { sleeper } from './rules/sleeper.ts'
import { suddenChange } from './rules/sudden-change.ts'
import { windowEdge } from './rules/window-edge.ts'

/** The rules, in the order in which an event's flags are listed. */
export const RULES: readonly Rule[] = [
  attestationInvalid,
  contradictory,
  implausible,
  identicalEvent,
  nearDuplicate,
  burst,
  peerBurst,
  backdated,
  windowEdge,
  selfDealing,
  ownCredentials,
  sleeper,
  suddenChange,
  conflictingReport,
]

/** How a rule is to be applied here. */
export interface RuleSetting {
  readonly mode: RuleMode
  readonly threshold: number
}

/** By the rule's id; a rule that is not named has its defaults. */
export type RuleSettings = ReadonlyMap<string, RuleSetting>

const ALL_DEFAULTS: RuleSettings = new Map()

export interface Inspection {
  /** Ids of the rules that quarantine the event. */
  readonly flags: readonly string[]
  /** Why it is quarantined, in words; null when it is not. */
  readonly reason: string | null
  /** All that was found, by rules in shadow mode as well. */
  readonly findings: readonly EventFinding[]
}

const CLEAN: Inspection = { flags: [], reason: null, findings: [] }

/** Judges an event before it is scored; one finding of a rule is enough to quarantine it. */
export function inspect(seen: RuleInput, settings: RuleSettings = ALL_DEFAULTS): Inspection {
  let findings: EventFinding[] | null = null
  for (const rule of RULES) {
    const found = apply(rule, seen, settings)
    if (found) {
      findings ??= []
      findings.push(found)
    }
  }
  return findings ? inspectionOf(findings) : CLEAN
}

function inspectionOf(findings: readonly EventFinding[]): Inspection {
  const decisive = findings.filter(({ mode }) => mode === 'quarantine')
  return {
    flags: decisive.map(({ rule }) => rule),
    reason: decisive.length === 0 ? null : decisive.map(({ sentence }) => sentence).join(' '),
    findings,
  }
}

function apply(rule: Rule, seen: RuleInput, settings: RuleSettings): EventFinding | null {
  const setting = settings.size > 0 ? settings.get(rule.id) : undefined
  const mode = setting ? setting.mode : rule.mode
  if (mode === 'off') {
    return null
  }
  const finding = rule.inspect(seen, setting ? setting.threshold : (rule.threshold?.value ?? 0))
  return finding && { ...finding, rule: rule.id, severity: rule.severity, mode }
}
