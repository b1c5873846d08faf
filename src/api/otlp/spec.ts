import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'

export const PROTOBUF_TYPE = 'application/x-protobuf'

const ExportAnswer = z
  .object({
    partialSuccess: z
      .object({
        rejectedSpans: z.string().openapi({ description: 'A number.', example: '1' }),
        errorMessage: z.string().openapi({
          example: 'resourceSpans.0.scopeSpans.0.spans.0.attributes: gen_ai.agent.id is missing',
        }),
      })
      .optional(),
  })
  .openapi('OtlpTraceAnswer')

export const OTLP_SPECS = {
  exportTraces: {
    method: 'post',
    path: '/v1/otlp/v1/traces',
    tag: 'Events',
    summary: 'Report by OpenTelemetry: OTLP/HTTP traces, as JSON or protobuf',
    description:
      'Platform only. Each span of an agent that was invoked (`gen_ai.operation.name` is ' +
      '`invoke_agent`) is reported about the agent that `gen_ai.agent.id` names, by its id or by a name ' +
      'that it has proven: `task.completed`, `task.failed` if its status is an error, `task.timeout` if ' +
      '`error.type` says so. Other spans are ignored. A span sent again counts once. What is not taken ' +
      'is counted in `partialSuccess`, whose message says why. JSON, or protobuf; gzip is understood.',
    callers: ['platform'],
    streams: PROTOBUF_TYPE,
    queue: 'write',
    responses: {
      200: {
        description: 'The spans are recorded',
        schema: ExportAnswer,
        textTypes: [PROTOBUF_TYPE],
      },
    },
    errors: ['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'],
  },
} as const satisfies RouteSpecs
