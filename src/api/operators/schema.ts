import { z } from '../../http/schema.ts'
import { ApiKeyRecords } from '../key-records.ts'
import { listOf } from '../paging.ts'
import { ApiKey, Id, Time } from '../wire.ts'

/** A name that stands in a path and in a command as it is. */
const Name = z
  .string()
  .regex(
    /^[A-Za-z][\w-]{0,62}$/,
    'must be a letter, and up to 62 letters, digits, dashes or underscores',
  )
  .openapi({ example: 'alice' })

export const CreateOperatorBody = z.strictObject({ name: Name }).openapi('CreateOperator')

export const OperatorParams = z.object({
  name: Name.openapi({ description: 'The name of the operator.' }),
})

export const Operator = z
  .object({
    id: Id,
    name: z.string().openapi({ example: 'alice' }),
    status: z.enum(['active', 'revoked']),
    createdAt: Time,
    revokedAt: Time.nullable().openapi({ example: null }),
    lastUsedAt: Time.nullable().openapi({
      example: null,
      description: 'At most a minute late; null while no key of the operator was used.',
    }),
    apiKeys: ApiKeyRecords,
  })
  .openapi('Operator')

export const OperatorWithKey = Operator.extend({
  apiKey: ApiKey.openapi({ example: 'avo_0123456789ABCDEFGHIJKLMNOPQRSTUV0abcde' }),
}).openapi('OperatorWithKey')

export const OperatorList = listOf(Operator, 'OperatorList')
