import { chainHash, commitmentTo, NO_HASH } from '../../src/store/postgres/audit-chain.ts'
import type { ChainedRow } from '../../src/store/store.ts'

/** The first entry that does not follow from the one before it, or is not what it commits to. */
export function brokenAt(rows: readonly ChainedRow[], before = NO_HASH): ChainedRow | null {
  let previous = before
  for (const row of rows) {
    const { salt, commitment, hash } = row
    const isOpened = salt === null || commitment === commitmentTo(row, salt)
    if (!isOpened || hash !== chainHash(previous, row)) {
      return row
    }
    previous = hash
  }
  return null
}
