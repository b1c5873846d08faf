import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { EXAMPLE_ID, Id } from '../wire.ts'

const ImportSummary = z
  .object({
    name: z.string().openapi({ example: 'orders-2025' }),
    dryRun: z.boolean().openapi({ example: false }),
    lines: z.int().openapi({ description: 'Lines that were read.', example: 4200 }),
    imported: z.int().openapi({ description: 'New events that count.', example: 4180 }),
    quarantined: z.int().openapi({ description: 'New events that await review.', example: 2 }),
    alreadyImported: z.int().openapi({
      description: 'Events that an earlier import of the same lines brought.',
      example: 0,
    }),
    refused: z.int().openapi({ description: 'Lines that were not imported.', example: 18 }),
    errors: z
      .array(
        z.object({
          line: z.int().openapi({ example: 17 }),
          code: z.string().openapi({ example: 'NOT_FOUND' }),
          message: z.string().openapi({ example: 'there is no such agent' }),
        }),
      )
      .openapi({ description: 'The first 100 problems.' }),
    agents: z
      .array(
        z.object({
          agentId: Id.openapi({ example: EXAMPLE_ID }),
          score: z.int().openapi({ example: 743 }),
        }),
      )
      .openapi({
        description:
          'The scores of the agents named, after the import; of a dry run, as they would be. At most 1,000.',
      }),
  })
  .openapi('ImportSummary')

export const IMPORT_SPECS = {
  importPast: {
    method: 'post',
    path: '/v1/operator/imports',
    tag: 'Operator',
    summary: 'Import the past of platforms',
    description:
      'Operator only. The body is JSON lines in order of time, each `{ "at", "agent", "by", "type", ' +
      '"data"?, "occurredAt"?, "externalId"? }`: `at` is when it happened, or when it was reported if ' +
      '`occurredAt` says when it happened; `agent` and `by` are the ids of ' +
      'the agent and of the platform. Each event counts from `at` on and stays marked `imported`. ' +
      'The events of an agent must be in order of time, and before its first report. After an ' +
      'interruption, send the same lines again under the same `name`: each is imported once. A line that is not imported is listed with its ' +
      'number; the others are imported. A body has at most 4 GiB.',
    callers: ['operator'],
    streams: 'application/x-ndjson',
    queue: 'none',
    query: z.object({
      name: z
        .string()
        .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores')
        .openapi({
          description:
            'Names the past: lines without an `externalId` are known by it and their number.',
          example: 'orders-2025',
        }),
      dryRun: z
        .enum(['true', 'false'])
        .default('false')
        .transform((text) => text === 'true')
        .openapi({
          description: 'Writes nothing, and returns the scores that the import would give.',
        }),
      firstLine: z.coerce.number().int().min(1).default(1).openapi({
        description: 'The number of the first line sent, for a past that is sent in parts.',
      }),
      agent: Id.optional().openapi({ description: 'The agent of lines that name none.' }),
      by: Id.optional().openapi({ description: 'The platform of lines that name none.' }),
    }),
    responses: { 200: { description: 'What became of the lines', schema: ImportSummary } },
    errors: ['PAYLOAD_TOO_LARGE'],
  },
} as const satisfies RouteSpecs
