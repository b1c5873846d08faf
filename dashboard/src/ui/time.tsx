import { dateTime, relative } from '../messages/format.ts'
import { t } from '../messages/index.ts'

/** How long ago, with the exact time on hover, in the reader's zone. */
export function Time({ at }: { at: string | null }) {
  if (at === null) {
    return <span class="quiet">{t.value.common.never}</span>
  }
  return (
    <time dateTime={at} title={dateTime(at)} class="nowrap">
      {relative(at)}
    </time>
  )
}
