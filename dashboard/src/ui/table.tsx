import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../messages/index.ts'

/** The name of a column; figures stand to the right. What needs more words has them as its title. */
export type Column = string | { readonly number: string; readonly title?: string } | Titled
interface Titled {
  readonly text: string
  readonly title: string
}

export interface TableProps {
  readonly columns: readonly Column[]
  /** Whether a column for the actions of a row follows. */
  readonly hasActions?: boolean
  readonly class?: string
}

/** A table with named columns, and one for the actions of a row behind them. */
export function Table({
  columns,
  hasActions,
  class: name,
  children,
}: TableProps & { children: ComponentChildren }) {
  return (
    <div class="table-frame" tabIndex={-1} {...useKeptFocus()}>
      <table class={`listing ${name ?? ''}`} style={namesOf(columns)}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={nameOf(column)} column={column} />
            ))}
            {hasActions && (
              <th scope="col">
                <span class="visually-hidden">{t.value.common.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** Where the button at hand goes away with its row, the keyboard goes on from the table. */
function useKeptFocus() {
  const ref = useRef<HTMLDivElement>(null)
  const isInside = useRef(false)
  useLayoutEffect(() => {
    if (isInside.current && document.activeElement === document.body) {
      ref.current?.focus({ preventScroll: true })
    }
  })
  return {
    ref,
    onFocusIn() {
      isInside.current = true
    },
    // A browser says so as well when it removes the button, and before the table is drawn again.
    onFocusOut: () =>
      queueMicrotask(() => {
        isInside.current = ref.current?.contains(document.activeElement) ?? false
      }),
  }
}

function nameOf(column: Column): string {
  return typeof column === 'string' ? column : 'number' in column ? column.number : column.text
}

/** For narrow screens, where a row is a list of named values (styles/lists.css). */
function namesOf(columns: readonly Column[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map((one, i) => [`--c${i + 1}`, JSON.stringify(nameOf(one))]))
}

function Head({ column }: { column: Column }) {
  if (typeof column === 'string') {
    return <th scope="col">{column}</th>
  }
  return (
    <th scope="col" class={'number' in column ? 'number' : ''} title={column.title}>
      {nameOf(column)}
    </th>
  )
}
