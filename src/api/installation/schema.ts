import { MODEL_VERSION } from '../../domain/model.ts'
import { z } from '../../http/schema.ts'
import { ClassificationName } from '../scores/schema.ts'
import { Time } from '../wire.ts'

const Count = z.int().min(0)

const Job = z
  .object({
    name: z.string().openapi({ description: 'As in the metrics.', example: 'retention' }),
    everySeconds: z.number().openapi({ example: 86_400 }),
    isRunning: z.boolean(),
    lastStartedAt: Time.nullable(),
    lastSucceededAt: Time.nullable(),
    nextAt: Time,
    failures: Count.openapi({
      description: 'Rounds that failed since the start; each runs again.',
    }),
    lastError: z.object({ at: Time, message: z.string() }).nullable().openapi({ example: null }),
  })
  .openapi('Job')

const Queue = z
  .object({
    name: z
      .enum([
        'reviews',
        'releases',
        'deliveries',
        'mails',
        'erasures',
        'discards',
        'identifier_checks',
        'model_migration',
        'attributions',
      ])
      .openapi({ example: 'deliveries' }),
    waiting: Count.openapi({ description: 'Counted up to 10,000.', example: 0 }),
    oldestAt: Time.nullable().openapi({
      description: 'Since when the oldest waits; null where nothing waits, or that is not known.',
      example: null,
    }),
  })
  .openapi('Queue')

export const Jobs = z.object({ jobs: z.array(Job), queues: z.array(Queue) }).openapi('Jobs')

const Backup = z
  .object({
    file: z.string().openapi({
      description: 'Where it was written, on the machine that ran the command.',
      example: '/var/backups/standing-2026-06-15.backup',
    }),
    asOf: Time.openapi({ description: 'The data is as of then.' }),
    verifiedAt: Time.openapi({ description: 'When the file was read again to its end.' }),
    bytes: Count.openapi({ example: 48_120_331 }),
    tables: Count.openapi({ example: 41 }),
    rows: Count.openapi({ example: 1_204_118 }),
    hasMasterKey: z.boolean().openapi({
      description:
        'Whether the file contains the master key. Anyone with such a file can read everything.',
    }),
  })
  .openapi('Backup')

export const Backups = z
  .object({
    latest: Backup.nullable().openapi({
      description: 'The latest one by `standing backup`; null without one.',
    }),
    databaseBytes: Count.openapi({ example: 412_301_312 }),
  })
  .openapi('Backups')

const Sample = {
  agents: Count.openapi({ description: 'How many agents were looked at.', example: 100 }),
  agentsInAll: Count.openapi({ description: 'About how many there are.', example: 12_480 }),
  modelVersion: z.string().openapi({ example: MODEL_VERSION }),
  computedAt: Time,
}

export const Calibration = z
  .object({
    ...Sample,
    since: Time.openapi({ description: 'When the scores were as they are compared.' }),
    data: z.array(
      z.object({
        tier: z.union([ClassificationName, z.literal('unknown')]).openapi({
          description: 'The tier at `since`; `unknown` where confidence was low.',
          example: 'good',
        }),
        agents: Count.openapi({ example: 40 }),
        outcomes: Count.openapi({
          description: 'Tasks and payments that platforms reported since, at most 200 of an agent.',
          example: 3_120,
        }),
        good: Count.openapi({ example: 2_964 }),
        expected: z.number().min(0).openapi({
          description: 'Good ones to be expected by the forecasts at `since`.',
          example: 2_951.4,
        }),
      }),
    ),
  })
  .openapi('Calibration')

export const Resistance = z
  .object({
    ...Sample,
    platforms: z.object({ active: Count, verified: Count, established: Count }).openapi({
      description:
        'The number of platforms that are not suspended, of those that the operator verified, and of ' +
        'those that are established, by verification or by their record. Of these, platforms of one owner ' +
        'count as one.',
      example: { active: 7, verified: 3, established: 4 },
    }),
    counterpartiesNamed: z.number().min(0).max(1).nullable().openapi({
      description:
        'Share of the platforms of these agents that name counterparties; null without a platform.',
      example: 0.5,
    }),
    data: z.array(
      z.object({
        platforms: Count.openapi({ description: 'How many platforms lie.', example: 1 }),
        trusted: Count.openapi({ description: 'Agents that are Good or better.', example: 62 }),
        ruined: Count.openapi({ description: 'How many of them would not be any more.' }),
        untrusted: Count.openapi({ description: 'Agents below Good.', example: 38 }),
        raised: Count.openapi({ description: 'How many of them would be Good or better.' }),
      }),
    ),
    prices: z
      .array(
        z.object({
          goal: z.enum(['good', 'excellent', 'ruin']),
          attacker: z
            .enum(['orders', 'orders-named', 'own', 'own-new', 'bribed-1', 'bribed-2', 'bribed-3'])
            .openapi({
              description:
                'What the attacker uses. `orders`: orders from its own accounts; `orders-named`: the same ' +
                'at platforms that name the counterparty. `own`: its own platforms; `own-new`: the ' +
                'same where no other platform is established. `bribed-N`: N bribed established platforms.',
              example: 'orders',
            }),
          cost: z
            .object({
              accounts: Count.openapi({ example: 2 }),
              fees: z.number().min(0).openapi({ description: 'US dollars.', example: 1.2 }),
              days: Count.openapi({ example: 22 }),
              reports: Count.openapi({ example: 48 }),
            })
            .nullable()
            .openapi({ description: 'Null where the search found no such attack.' }),
        }),
      )
      .openapi({
        description:
          'The price list of the model (the page “Attacks”), the lines that fit this installation: raise ' +
          'a worthless agent to Good or Excellent, or take an honest one below Fair.',
      }),
  })
  .openapi('Resistance')
