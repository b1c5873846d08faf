import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'

/** How much of a limit is used, as a figure and as a bar. */
export function Meter({
  label,
  used,
  limit,
}: {
  label: string
  used: number
  limit: number | null
}) {
  const { usage: texts } = t.value
  const words = texts.ofLimit(number(used), limit === null ? texts.unlimited : number(limit))
  return (
    <section class="meter">
      <h2>{label}</h2>
      <p class="meter-figure">{words}</p>
      {limit !== null && (
        <meter min={0} max={limit} high={limit * 0.9} value={used} aria-label={label}>
          {words}
        </meter>
      )}
    </section>
  )
}
