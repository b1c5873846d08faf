import { createHash } from 'node:crypto'
import type { AuditRow, ChainedRow } from '../audit.ts'

/** The hash before the first entry. */
export const NO_HASH = ''

/** What an erasure removes from an entry, as a hash that shows nothing of it without the salt. */
export function commitmentTo({ actor, details }: AuditRow, salt: string): string {
  return sha256([salt, actor.id, details])
}

/** The hash of an entry. A changed or removed entry changes the hashes of all that follow. */
export function chainHash(
  previous: string,
  row: AuditRow & Pick<ChainedRow, 'number' | 'commitment'>,
): string {
  const { number, id, actor, action, target, createdAt, commitment } = row
  const { kind = null, id: targetId = null } = target ?? {}
  return sha256([previous, number, id, actor.kind, action, kind, targetId, createdAt, commitment])
}

function sha256(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
