import { z } from '../../http/schema.ts'
import { PublicAgent } from '../agents/schema.ts'
import { Score } from '../scores/schema.ts'
import { Id, shown, Time } from '../wire.ts'

const Count = z.int().min(0)

const Day = z.object({
  day: z.iso.date().openapi({ example: '2026-06-15' }),
  good: Count.openapi({ description: 'Events with a positive impact.', example: 12 }),
  bad: Count.openapi({ description: 'Events with a negative impact.', example: 1 }),
  isKnown: z.boolean().openapi({
    description: 'False for a day whose events were not counted, in the history of a busy agent.',
  }),
})

const ProfileCredential = z.object({
  id: Id,
  type: z.string().openapi({ example: 'SecurityAudit' }),
  assertedBy: z.enum(['owner', 'service']),
  issuedAt: Time,
  expiresAt: Time.nullable(),
})

export const PublicProfile = z
  .object({
    agent: PublicAgent,
    score: Score,
    days: z.array(Day).openapi({ description: 'The last 90 days (UTC), oldest first.' }),
    credentials: z
      .array(ProfileCredential)
      .openapi({ description: 'The newest credentials in force, 20 at most.' }),
    owner: z.object({
      name: z.string().nullable().openapi({ example: 'Ada Lovelace' }),
      registeredAt: Time,
      agents: Count.openapi({
        description: 'Agents of the owner that are not deactivated.',
        example: 3,
      }),
    }),
  })
  .openapi('PublicProfile')

/** Longer text makes a banner of a badge. */
const LABEL_CHARACTERS_MAX = 40

/** What markup is made of is left out, besides what no text has: other people's pages show the picture. */
const LABEL = /^[^"&'<=>\ufffe\uffff]*$/

export const BadgeQuery = z.object({
  style: z
    .enum(['flat', 'flat-square'])
    .default('flat')
    .openapi({ description: 'Round or square corners.', example: 'flat-square' }),
  label: shown(
    z
      .string()
      .min(1)
      .max(LABEL_CHARACTERS_MAX)
      .regex(LABEL, 'must not have " & \' < = > or noncharacters'),
  )
    .default('standing')
    .openapi({
      description: 'The left part. Without `" & \' < = >`.',
      example: 'trust',
    }),
})
