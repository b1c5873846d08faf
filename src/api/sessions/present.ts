import type { SessionRow } from '../../store/store.ts'
import { time } from '../wire.ts'

export function presentActiveSession(session: SessionRow, currentId: string | null) {
  const { id, ...times } = presentSessionRow(session)
  return { id, isCurrent: id === currentId, ...times }
}

/** A session in an export, where none is the current one. */
export function presentSessionRow({ id, createdAt, lastUsedAt, expiresAt }: SessionRow) {
  return {
    id,
    createdAt: time(createdAt),
    lastUsedAt: time(lastUsedAt),
    expiresAt: time(expiresAt),
  }
}
