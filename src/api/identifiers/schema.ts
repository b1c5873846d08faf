import { IDENTIFIER_TYPES, PROOF_METHODS, PROOF_PROBLEMS } from '../../domain/identifier.ts'
import { z } from '../../http/schema.ts'
import { listOf } from '../paging.ts'
import { EXAMPLE_ID, Id, Time } from '../wire.ts'

export const IdentifierParams = z.object({
  id: Id.openapi({ description: 'The id of the agent, a UUID.' }),
  identifierId: Id.openapi({ description: 'The id of the identifier, a UUID.' }),
})

/** The longest are URLs; beyond this they fail on their way, and in DNS. */
export const IDENTIFIER_CHARS_MAX = 500

const TypeName = z.enum(IDENTIFIER_TYPES).openapi({ example: 'domain' })

const IdentifierValue = z.string().trim().min(1).max(IDENTIFIER_CHARS_MAX).openapi({
  example: 'agent.example.com',
})

export const ClaimBody = z
  .strictObject({
    type: TypeName.openapi({ description: 'The kind of name.' }),
    value: IdentifierValue.openapi({ description: 'The name, in any of its usual spellings.' }),
  })
  .openapi('ClaimIdentifier')

/** A JWS by a large RSA key over a long payload has some two thousand characters. */
const SIGNATURE_CHARS_MAX = 8_000

export const VerifyBody = z
  .strictObject({
    signature: z
      .string()
      .trim()
      .min(1)
      .max(SIGNATURE_CHARS_MAX)
      .optional()
      .openapi({
        example: 'eyJhbGciOiJFZERTQSJ9.c3RhbmRpbmctY2hhbGxlbmdlPeKApg.MEUCIQDk3q2-7wEtq83vASNF',
        description:
          'A signature of the challenge: a compact JWS with the challenge as its payload, the bare ' +
          'signature in base64url or base64, or `0x…` of EIP-191. Leave it out where the challenge is ' +
          'published.',
      }),
  })
  .optional()
  .openapi('VerifyIdentifier')

const ProblemCode = z.enum(PROOF_PROBLEMS).openapi({ example: 'challenge_missing' })

export const IdentifierProblem = z
  .object({
    code: ProblemCode,
    message: z.string().openapi({ example: 'no TXT record of agent.example.com is the challenge' }),
  })
  .nullable()
  .openapi({ example: null, description: 'Why the last check failed; null when it did not.' })

/** Which name something is about. */
export const IdentifierName = {
  type: TypeName,
  value: z.string().openapi({
    description: 'In its one canonical spelling.',
    example: 'agent.example.com',
  }),
}

const CHALLENGE = `standing-challenge=https://trust.example.com/agents/${EXAMPLE_ID}#3q2-7wEtq83vASNFZ4mrzQ`

const Way = z
  .object({
    method: z.enum(PROOF_METHODS),
    location: z.string().openapi({
      description: 'The URL, the name of the TXT record, or who signs.',
      example: 'https://agent.example.com/.well-known/standing-challenge',
    }),
  })
  .openapi('IdentifierProofWay')

export const Identifier = z
  .object({
    id: Id,
    agentId: Id,
    ...IdentifierName,
    status: z.enum(['claimed', 'verified']).openapi({
      description: 'A claim proves nothing. A verified identifier belongs to this agent alone.',
    }),
    challenge: z.string().nullable().openapi({
      description: 'What to publish or to sign; null for others than the agent and its owner.',
      example: CHALLENGE,
    }),
    ways: z.array(Way).openapi({
      description:
        'Each way in which the challenge proves the name; one of them is enough. Empty for a name that ' +
        'cannot be proven here.',
    }),
    proof: z
      .object({
        method: z.enum(PROOF_METHODS),
        keyId: z.string().nullable().openapi({
          description: 'The thumbprint (RFC 7638) or address of the key that signed.',
          example: null,
        }),
      })
      .nullable()
      .openapi({ description: 'How it was proven last.', example: null }),
    problem: IdentifierProblem,
    createdAt: Time,
    verifiedAt: Time.nullable().openapi({ example: null }),
    checkedAt: Time.nullable().openapi({
      description: 'When its proof was checked last.',
      example: null,
    }),
  })
  .openapi('Identifier')

export const IdentifierList = listOf(Identifier, 'IdentifierList')
