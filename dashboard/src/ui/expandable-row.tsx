import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

/** A row of a table whose first cell is a button that shows a row with details below it. */
export function ExpandableRow({
  class: name,
  head,
  cells,
  columns,
  children,
}: {
  class?: string
  /** What the button says. */
  head: ComponentChildren
  /** The other cells, as `td`. */
  cells: ComponentChildren
  /** Of the table, this one's own button included. */
  columns: number
  /** The details; created when they are shown. */
  children: () => ComponentChildren
}) {
  const isOpen = useSignal(false)
  return (
    <>
      <tr class={name}>
        <th scope="row">
          <button
            type="button"
            class="quiet row-toggle"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            {head}
          </button>
        </th>
        {cells}
      </tr>
      {isOpen.value && (
        <tr class="detail-row">
          <td colSpan={columns} class="detail-cell">
            {children()}
          </td>
        </tr>
      )}
    </>
  )
}
