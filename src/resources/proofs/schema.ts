import { z } from '@hono/zod-openapi'
import { Score } from '../scores/schema.ts'
import { Id } from '../wire.ts'

const Hash = z.base64url().openapi({ description: 'SHA-256, in base64url.' })

const Milliseconds = z.int().openapi({ description: 'Since 1970-01-01T00:00:00Z.' })

/** The score alone: whose it is and when it was computed stand beside it. */
const ProvenScore = Score.omit({
  agentId: true,
  status: true,
  computedAt: true,
  correctedAt: true,
}).extend({ evidence: Score.shape.evidence.omit({ quarantined: true }) })

const ReceiptPayload = z
  .object({
    iss: z.string(),
    sub: Id,
    iat: z.int().openapi({ description: 'Seconds since 1970-01-01T00:00:00Z.' }),
    at: Milliseconds.openapi({ description: 'The moment that the score is of.' }),
    score: ProvenScore,
    events: z.int().min(0),
    chain: Hash.openapi({ description: 'The last link of the chain of counted events.' }),
    evidence: Hash,
    model: z.object({ version: z.string(), hash: Hash }),
    registration: z.object({ agentId: Id, registeredAt: Milliseconds, startsAtMost: z.number() }),
  })
  .openapi('ReceiptPayload')

export const Receipt = z
  .object({
    receipt: z.string().openapi({ description: 'A JWS, of type standing-receipt+jwt.' }),
    payload: ReceiptPayload.openapi({ description: 'What it says, for reading.' }),
  })
  .openapi('Receipt')

export const ReceiptKeySet = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string(),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .openapi('ReceiptKeySet')
