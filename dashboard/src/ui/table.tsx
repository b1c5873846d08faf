import type { ComponentChildren } from 'preact'
import { t } from '../messages/index.ts'

/** The name of a column; figures stand to the right. */
export type Column = string | { readonly number: string }

/** A table with named columns, and one for the actions of a row behind them. */
export function Table({
  columns,
  hasActions,
  children,
}: {
  columns: readonly Column[]
  hasActions?: boolean
  children: ComponentChildren
}) {
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th scope="col" key={column}>
                  {column}
                </th>
              ) : (
                <th scope="col" key={column.number} class="number">
                  {column.number}
                </th>
              ),
            )}
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
