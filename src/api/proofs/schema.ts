import { z } from '../../http/schema.ts'
import { Score } from '../scores/schema.ts'
import { Jwk } from '../signing/schema.ts'
import { Id } from '../wire.ts'

const Hash = z
  .string()
  .regex(/^[\w-]{43}$/)
  .openapi({
    description: 'SHA-256 in base64url.',
    example: 'Gj4QcUmyt7nRnHIESxA5Nkgq1pkTov39s2T4yIhtDg0',
  })

const Milliseconds = z.int().openapi({
  description: 'Milliseconds since 1970-01-01T00:00:00Z.',
  example: 1_781_521_200_000,
})

/** The score alone; the agent and the time are separate fields of the payload. */
const ProvenScore = Score.omit({
  forecast: true,
  agentId: true,
  status: true,
  computedAt: true,
  correctedAt: true,
  taskClass: true,
}).extend({ evidence: Score.shape.evidence.omit({ quarantined: true }) })

const ReceiptPayload = z
  .object({
    iss: z.string().openapi({
      description: 'The address of the service.',
      example: 'https://trust.example.com',
    }),
    sub: Id,
    iat: z.int().openapi({
      description: 'Seconds since 1970-01-01T00:00:00Z.',
      example: 1_781_521_200,
    }),
    at: Milliseconds.openapi({
      description: 'The time of the score, in milliseconds since 1970-01-01T00:00:00Z.',
    }),
    score: ProvenScore,
    events: z
      .int()
      .min(0)
      .openapi({ description: 'How many events are behind the score.', example: 212 }),
    imported: z.int().min(0).openapi({
      description: 'How many of the events behind the score were imported as a past.',
      example: 0,
    }),
    chain: Hash.openapi({ description: 'The last hash of the chain of counted events.' }),
    evidence: Hash.openapi({
      description: 'SHA-256 in base64url of the evidence that the score is computed from.',
    }),
    model: z.object({ version: Score.shape.modelVersion, hash: Hash }),
    registration: z.object({
      agentId: Id,
      registeredAt: Milliseconds,
      initialCeiling: z.number().openapi({
        description: 'The highest score with which the agent could start.',
        example: 1000,
      }),
    }),
  })
  .openapi('ReceiptPayload')

export const Receipt = z
  .object({
    receipt: z.string().openapi({
      description: 'A compact JWS of type `standing-receipt+jwt`.',
      example: 'eyJhbGciOiJFZERTQSIsInR5cCI6InN0YW5kaW5nLXJlY2VpcHQrand0In0.e30.c2lnbmF0dXJl',
    }),
    payload: ReceiptPayload.openapi({ description: 'The payload of the JWS, decoded.' }),
  })
  .openapi('Receipt')

export const ReceiptKeySet = z.object({ keys: z.array(Jwk) }).openapi('ReceiptKeySet')
