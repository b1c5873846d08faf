import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { EXAMPLE_ID } from '../wire.ts'

export const PROTOBUF_TYPE = 'application/x-protobuf'

/** As the document shows it: the handler reads spans with what other programs add to them. */
const ExportRequest = z
  .looseObject({ resourceSpans: z.array(z.looseObject({})) })
  .openapi('OtlpTraceRequest', {
    description: '`ExportTraceServiceRequest` of OTLP 1, in its JSON form.',
    example: {
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: '5b8efff798038103d269b633813fc60c',
                  spanId: 'eee19b7ec3c1b174',
                  name: 'invoke_agent invoice-reconciler',
                  startTimeUnixNano: '1781521198800000000',
                  endTimeUnixNano: '1781521200000000000',
                  attributes: [
                    { key: 'gen_ai.operation.name', value: { stringValue: 'invoke_agent' } },
                    { key: 'gen_ai.agent.id', value: { stringValue: EXAMPLE_ID } },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  })

const ExportAnswer = z
  .object({
    partialSuccess: z
      .object({
        rejectedSpans: z.string().openapi({
          description:
            'The number of spans that were rejected, as a string: OTLP writes integers so.',
          example: '1',
        }),
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
      'is counted in `partialSuccess`, whose message says why. JSON, or protobuf; gzip is understood. ' +
      'Errors of a request in protobuf are protobuf, too: a `google.rpc.Status`.',
    callers: ['platform'],
    streams: PROTOBUF_TYPE,
    rpcType: PROTOBUF_TYPE,
    otherBodies: { 'application/json': ExportRequest },
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
