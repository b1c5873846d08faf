import { useAction } from '../api/action.ts'
import type { List } from '../api/list.ts'
import { number } from '../messages/format.ts'
import { t } from '../messages/index.ts'
import { FormError } from './states.tsx'

/** The end of a list: how much is shown, and a button for the next page. */
export function More<T>({ list }: { list: List<T> }) {
  const { common } = t.value
  const read = useAction(async () => list.more?.())
  const count = list.data?.rows.length ?? 0
  return (
    <div class="more">
      <span class="quiet">{common.rows(number(count), count)}</span>
      {list.more && (
        <button type="button" onClick={() => void read.run()} disabled={read.isBusy}>
          {common.more}
        </button>
      )}
      <FormError error={read.error} />
    </div>
  )
}
