import type { ComponentChildren } from 'preact'
import { t } from '../messages/index.ts'

/** A table with named columns, and one for the actions of a row behind them. */
export function Table({
  columns,
  hasActions,
  children,
}: {
  columns: readonly string[]
  hasActions?: boolean
  children: ComponentChildren
}) {
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
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
