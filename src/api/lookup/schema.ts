import { z } from '../../http/schema.ts'
import { PublicAgent } from '../agents/schema.ts'
import { IDENTIFIER_CHARS_MAX } from '../identifiers/schema.ts'
import { BATCH_MAX, Score } from '../scores/schema.ts'

const Name = z
  .string()
  .min(1)
  .max(IDENTIFIER_CHARS_MAX)
  .openapi({ example: 'did:web:agent.example.com' })

export const LookupQueryParams = z.object({
  identifier: Name.openapi({
    description: 'A name of an agent, of any type, in any of its usual spellings.',
  }),
})

export const LookupBody = z
  .strictObject({ identifiers: z.array(Name).min(1).max(BATCH_MAX) })
  .openapi('LookupBatch')

export const Lookup = z
  .object({
    identifier: z.string().openapi({
      description: 'As it was asked.',
      example: 'did:web:agent.example.com',
    }),
    match: z.enum(['verified', 'claimed', 'unknown']).openapi({
      description:
        '`claimed`: an agent says that the name is its own, but has not proven it. Only a verified ' +
        'identifier leads to an agent.',
    }),
    agent: z.union([PublicAgent, z.null()]),
    score: z.union([Score, z.null()]),
  })
  .openapi('Lookup')

export const LookupAnswer = z.object({ data: z.array(Lookup) }).openapi('LookupBatchAnswer')
