/** Words of a language for the codes of the service. */
type ByCode = Readonly<Record<string, string>>

type Service = Readonly<
  Record<
    | 'errors'
    | 'reasons'
    | 'issues'
    | 'kinds'
    | 'rules'
    | 'units'
    | 'decisions'
    | 'proofs'
    | 'checks',
    ByCode
  >
> & {
  /** The two figures that a reason of a decision compares. */
  readonly figures: Readonly<Record<string, (one: string, other: string) => string>>
}

/**
 * What the service says, by the code that comes with it. Words of `kinds` say less than the service, whose text follows. It says so in English itself, so English has no words of its
 * own; where another language has none, the text of the service is shown and marked as English.
 */
export const service: Service = {
  errors: {},
  reasons: {},
  issues: {},
  kinds: {},
  rules: {},
  units: {},
  decisions: {},
  figures: {},
  proofs: {},
  checks: {},
}
