import { attestationInvalid } from './attestation.ts'
import { burst } from './burst.ts'
import { contradictory } from './contradictory.ts'
import type { Habits } from './habits.ts'
import { identicalEvent } from './identical.ts'
import type { InspectedEvent, Rule } from './rule.ts'

/** The rules in force, in the order in which an event's flags are listed. */
export const RULES: readonly Rule[] = [attestationInvalid, contradictory, identicalEvent, burst]

export interface Verdict {
  /** Ids of the rules that the event triggered. */
  readonly flags: readonly string[]
  /** Why it is held, in words; null when it is not. */
  readonly reason: string | null
}

const CLEAN: Verdict = { flags: [], reason: null }

/** Judges an event before it is scored; one rule triggered is enough to hold it. */
export function inspect(event: InspectedEvent, habits: Habits): Verdict {
  const findings = RULES.flatMap((rule) => {
    const sentence = rule.inspect(event, habits)
    return sentence === null ? [] : [{ id: rule.id, sentence }]
  })
  if (findings.length === 0) return CLEAN
  return {
    flags: findings.map(({ id }) => id),
    reason: findings.map(({ sentence }) => sentence).join(' '),
  }
}
