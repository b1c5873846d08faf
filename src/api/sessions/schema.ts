import { z } from '../../http/schema.ts'
import { listOf } from '../paging.ts'
import { Id, Time } from '../wire.ts'

const ActiveSession = z
  .object({
    id: Id.openapi({ description: 'The `jti` of the token.' }),
    isCurrent: z.boolean().openapi({
      description: 'Whether the token of this request is the one of the session.',
      example: true,
    }),
    createdAt: Time.openapi({ description: 'When the person signed in.' }),
    lastUsedAt: Time.openapi({ description: 'At most a minute late.' }),
    expiresAt: Time.openapi({ example: '2026-06-16T11:00:00.000Z' }),
  })
  .openapi('ActiveSession')

export const ActiveSessionList = listOf(ActiveSession, 'ActiveSessionList')
