import { createHash } from 'node:crypto'
import type { AuditRow, ChainedRow } from '../audit.ts'

/** The hash before the first entry. */
export const NO_HASH = ''

/** The hash of an entry. A changed or removed entry changes the hashes of all that follow. */
export function chainHash(previous: string, number: number, row: AuditRow): string {
  const { id, actor, action, target, details, createdAt } = row
  const parts = [
    previous,
    number,
    id,
    actor.kind,
    actor.id,
    action,
    target?.kind ?? null,
    target?.id ?? null,
    details,
    createdAt,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** The first entry that does not follow from the one before it; null when all do. */
export function brokenAt(rows: readonly ChainedRow[], before = NO_HASH): ChainedRow | null {
  let previous = before
  for (const row of rows) {
    if (row.hash !== chainHash(previous, row.number, row)) {
      return row
    }
    previous = row.hash
  }
  return null
}
