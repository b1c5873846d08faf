import { refresh } from '../api/cache.ts'
import { changeRow, dropRow, type Row } from '../api/list.ts'
import { ErrorText } from './said.tsx'
import { later } from './toasts.tsx'

interface Change {
  /** The key of the list. */
  readonly list: string
  /** What is said while it can be taken back. */
  readonly text: string
  /** Done when the time to undo is over. */
  commit(keepalive: boolean): Promise<unknown>
  /** What is said before the reason when it could not be done. */
  readonly failed?: string
}

/** Takes a row off a list at once, and away for good when the time to undo is over. */
export function removeLater(id: string, change: Change): void {
  dropRow(change.list, id)
  start(change, () => refresh(change.list))
}

/** Shows another status of a row at once, which is final when the time to undo is over. */
export function setStatusLater<S extends string>(
  { id, status }: Row & { readonly status: S },
  next: S,
  change: Change,
): void {
  changeRow(change.list, id, { status: next })
  start(change, () => changeRow(change.list, id, { status }))
}

function start({ list, text, commit, failed }: Change, undo: () => void): void {
  later({
    text,
    commit: async (keepalive) => {
      await commit(keepalive)
      refresh(list)
    },
    undo,
    failed: (error) => (
      <>
        {failed} <ErrorText error={error} />
      </>
    ),
  })
}
