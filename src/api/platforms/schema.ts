import { readPublicKey } from '../../auth/public-key.ts'
import { z } from '../../http/schema.ts'
import { KeyFields } from '../key-records.ts'
import { ServiceTierName } from '../owners/schema.ts'
import { listOf } from '../paging.ts'
import { ApiKey, GivenName, Id, ModeName, Reason, Time } from '../wire.ts'

/** An hour to deploy the new signing key everywhere, as with API keys. */
const OVERLAP_SECONDS = 3_600
const OVERLAP_SECONDS_MAX = 30 * 86_400

const RequireAttestation = z.boolean().openapi({
  description: 'Whether reports without a valid signature are rejected.',
})

const Verified = z.boolean().openapi({
  description:
    'Whether the operator has verified the platform: its reports have full weight from the first on, unless ' +
    'it reports only problems. A ' +
    'platform that is not verified earns full weight by reporting for two months on agents of several ' +
    'owners as other platforms do.',
})

const Name = GivenName.openapi({ example: 'Acme Marketplace' })

/** An Ed25519 public key in any common encoding; stored as the `x` of its JWK. */
const PublicKey = z
  .string()
  .transform((text, ctx) => {
    const x = readPublicKey(text)
    if (x === null) {
      ctx.addIssue({
        code: 'custom',
        message: 'must be an Ed25519 public key: 32 bytes in base64url, or SPKI in PEM',
      })
    }
    return x ?? z.NEVER
  })
  .openapi({
    description:
      'The Ed25519 public key that verifies the signatures of the platform: the `x` of its JWK. ' +
      'Base64, and SPKI in PEM or base64, are accepted too.',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })

export const CreatePlatformBody = z
  .strictObject({
    name: Name,
    tier: ServiceTierName.default('platform'),
    publicKey: PublicKey.nullish(),
    requireAttestation: RequireAttestation.default(false),
    verified: Verified.default(false),
    ownerId: Id.nullish().openapi({
      example: null,
      description:
        'The owner that runs the platform. Its reports about this owner’s agents have the weight of ' +
        'self-reports. All platforms of one owner share one vote. It cannot be changed.',
    }),
  })
  .openapi('CreatePlatform')

export const UpdatePlatformBody = z
  .strictObject({
    name: Name.optional(),
    tier: ServiceTierName.optional(),
    publicKey: PublicKey.nullish(),
    previousKeyOverlapSeconds: z
      .int()
      .min(0)
      .max(OVERLAP_SECONDS_MAX)
      .default(OVERLAP_SECONDS)
      .openapi({
        description:
          'How long the previous signing key keeps working when this request replaces it.',
      }),
    requireAttestation: RequireAttestation.optional(),
    verified: Verified.optional(),
    status: z.enum(['active', 'suspended']).optional(),
  })
  .openapi('UpdatePlatform')

export const DiscardBody = z
  .strictObject({ reason: Reason.openapi({ example: 'The API key of the platform leaked.' }) })
  .openapi('DiscardReports')

const OUTCOME = {
  reason: z.string().openapi({ example: 'The API key of the platform leaked.' }),
  requestedAt: Time,
  agents: z.int().openapi({ description: 'How many agents have the event so far.', example: 12 }),
  finishedAt: Time.nullable().openapi({
    description: 'Null until every agent that needs the event has it.',
  }),
}

const DiscardOutcome = z.object(OUTCOME).openapi('DiscardOutcome')

const Discarded = z.object({
  ...OUTCOME,
  progress: z
    .object({ agentsChecked: z.int(), agentsInAll: z.int() })
    .nullable()
    .openapi({
      description:
        'How many agents were checked for reports of the platform, also if they need no event. ' +
        'Null before the agents are counted, if they cannot be counted, and after the discard has finished.',
      example: { agentsChecked: 500, agentsInAll: 1200 },
    }),
  earlier: z.array(DiscardOutcome).openapi({
    description: 'The discards of the platform before it, the newest first: at most the latest 20.',
    example: [],
  }),
})

export const Discard = Discarded.openapi('Discard')

export const Platform = z
  .object({
    id: Id,
    mode: ModeName,
    name: z.string().openapi({ example: 'Acme Marketplace' }),
    tier: ServiceTierName.openapi({ example: 'platform' }),
    status: z.enum(['active', 'suspended']),
    publicKey: z.string().nullable().openapi({ example: null }),
    previousKey: z.object({ publicKey: z.string(), expiresAt: Time }).nullable().openapi({
      example: null,
      description: 'The previous signing key, while it is still accepted.',
    }),
    requireAttestation: z.boolean(),
    verified: Verified,
    established: z.boolean().openapi({
      description:
        'Whether its reports have full weight: verified, or earned by its record. False for a platform that ' +
        'reports only problems.',
    }),
    agreement: z
      .number()
      .min(0)
      .max(1)
      .openapi({
        description:
          'The share of its reports whose quarantine no review upheld. After ten upheld reports a value ' +
          'below 0.95 becomes the weight of its reports.',
      }),
    reports: z.object({
      total: z.int(),
      quarantined: z.int(),
      released: z.int(),
      upheld: z.int(),
    }),
    discarded: Discarded.nullable().openapi({
      description: 'The last time that the operator discarded its reports; null for never.',
      example: null,
    }),
    ownerId: Id.nullable().openapi({ example: null }),
    ...KeyFields,
    createdAt: Time,
    updatedAt: Time,
  })
  .openapi('Platform')

/** What a platform reads of itself; the operator's reason for a discard is the operator's. */
export const OwnPlatform = Platform.omit({ discarded: true }).openapi('OwnPlatform')

export const PublicPlatform = Platform.pick({ id: true, mode: true, name: true }).openapi(
  'PublicPlatform',
)

export const PlatformWithKey = Platform.extend({
  apiKey: ApiKey.openapi({ example: 'avp_0123456789ABCDEFGHIJKLMNOPQRSTUV0abcde' }),
}).openapi('PlatformWithKey')

export const PlatformList = listOf(Platform, 'PlatformList')
