/** Words of a language for the codes of the service. */
type ByCode = Readonly<Record<string, string>>

/**
 * What the service says, by the code that comes with it. It says so in English itself, so English has no words of its
 * own; where another language has none, the text of the service is shown and marked as English.
 */
export const service: Readonly<
  Record<
    'errors' | 'reasons' | 'issues' | 'rules' | 'units' | 'decisions' | 'proofs' | 'checks',
    ByCode
  >
> = {
  errors: {},
  reasons: {},
  issues: {},
  rules: {},
  units: {},
  decisions: {},
  proofs: {},
  checks: {},
}
