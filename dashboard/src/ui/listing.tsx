import { type ComponentChildren, Fragment } from 'preact'
import { useAction } from '../api/action.ts'
import type { List } from '../api/list.ts'
import type { Row } from '../api/merge.ts'
import { number } from '../messages/format.ts'
import { t } from '../messages/index.ts'
import { useCreate } from '../shell/commands.ts'
import { useOpened } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { Empty, FormError, Loaded } from './states.tsx'
import { Table, type TableProps } from './table.tsx'

/** A list in each of its states: loading, refused, empty, or a table with a button for the next page. */
export function Listing<T extends Row>({
  of: list,
  skeleton = 4,
  none,
  noneText,
  action,
  children,
  ...table
}: TableProps & {
  of: List<T>
  /** Rows that are drawn while it loads. */
  skeleton?: number
  /** What an empty list says, why, and the one thing to do about it. */
  none: string
  noneText?: string | undefined
  action?: ComponentChildren
  children: (row: T) => ComponentChildren
}) {
  return (
    <Loaded of={list} rows={skeleton}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Empty title={none} action={action}>
            {noneText && <p>{noneText}</p>}
          </Empty>
        ) : (
          <>
            <Table {...table}>
              {rows.map((row) => (
                <Fragment key={row.id}>{children(row)}</Fragment>
              ))}
            </Table>
            <More list={list} />
          </>
        )
      }
    </Loaded>
  )
}

/** As many rows are seen at once and need no count. */
const UNCOUNTED_MAX = 10

/** The end of a list: how much is shown, and a button for the next page. */
export function More<T>({ list }: { list: List<T> }) {
  const { common } = t.value
  const read = useAction(async () => list.more?.())
  const count = list.data?.rows.length ?? 0
  if (!list.more && count <= UNCOUNTED_MAX) {
    return null
  }
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

/** What a page creates: the button and the shortcut that open a dialog, and whether it is open. */
export function useCreating(id: string, label: string, isAllowed = true) {
  const { isOpen, open, close } = useOpened()
  return { button: useCreateButton(id, label, open, isAllowed), isOpen, close }
}

/** The button alone, with its shortcut, for a page that opens more than one dialog. */
export function useCreateButton(id: string, label: string, open: () => void, isAllowed = true) {
  useCreate(id, label, open, isAllowed)
  return (
    isAllowed && (
      <button type="button" class="primary" onClick={open} title={`${label} (C)`}>
        <Icon name="plus" />
        {label}
      </button>
    )
  )
}
