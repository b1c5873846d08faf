import { type ComponentChildren, Fragment } from 'preact'

/** A name, and one value of it or several. */
type Fact = readonly [name: string, ...values: ComponentChildren[]]

/** Names with their values, one below the other; what does not apply is left out. */
export function Facts({
  of,
  class: name = 'facts',
}: {
  of: readonly (Fact | '' | 0 | false | null | undefined)[]
  class?: string
}) {
  return (
    <dl class={name}>
      {of
        .filter((fact) => !!fact)
        .map(([term, ...values]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            {values.map((value, i) => (
              <dd key={i}>{value}</dd>
            ))}
          </Fragment>
        ))}
    </dl>
  )
}
