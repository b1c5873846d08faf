import { RULES, type RuleSettings } from '../../src/fraud/rules.ts'

/** Every rule as it comes, with its threshold so many times its own, as an installation has it. */
export function settingsBy(factor: number): RuleSettings {
  return new Map(
    RULES.map(({ id, mode, threshold }) => [
      id,
      { mode, threshold: (threshold?.value ?? 0) * factor },
    ]),
  )
}
