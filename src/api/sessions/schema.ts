import { z } from '../../http/schema.ts'
import type { SessionRow } from '../../store/store.ts'
import { listOf } from '../paging.ts'
import { Id, Time, time } from '../wire.ts'

const ActiveSession = z
  .object({
    id: Id.openapi({ description: 'The `jti` of the token.' }),
    isCurrent: z.boolean().openapi({
      description: 'Whether the token of this request is the one of the session.',
      example: true,
    }),
    createdAt: Time.openapi({ description: 'When the person logged in.' }),
    lastUsedAt: Time.openapi({ description: 'To the minute.' }),
    expiresAt: Time.openapi({ example: '2026-06-16T11:00:00.000Z' }),
  })
  .openapi('ActiveSession')

export const ActiveSessionList = listOf(ActiveSession, 'ActiveSessionList')

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
