import { applyMapping, type MappedEvent } from '../../domain/apply-mapping.ts'
import { type Issue, invalid, type TrustError } from '../../domain/error.ts'
import type { Mapping } from '../../domain/mapping.ts'
import { issuesOf, pathOf } from '../../http/issues.ts'
import { type HeadersIn, mediaTypeOf } from '../../http/request.ts'
import { z } from '../../http/schema.ts'
import { parseBy } from '../../http/validation-messages.ts'
import { shortened } from './external-id.ts'
import { EVENTS_PER_BATCH_MAX } from './input-schema.ts'

/** CloudEvents 1.0, JSON batch format. */
export const CLOUD_EVENTS_TYPE = 'application/cloudevents-batch+json'
/** CloudEvents 1.0, JSON event format: one event in the structured mode of HTTP. */
export const CLOUD_EVENT_TYPE = 'application/cloudevents+json'

const Attribute = z.string().min(1).max(2_000)

/** Only the characters of RFC 3986, others in percent-encoding, and one `#` at most. */
const URI_REFERENCE =
  /^(?:[\w.~:/?[\]@!$&'()*+,;=-]|%[\da-fA-F]{2})*(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-fA-F]{2})*)?$/

const Source = Attribute.regex(URI_REFERENCE, {
  error: 'must be a URI reference: without white space, other characters in percent-encoding',
})

/** Extension attributes are ignored: they belong to those who carry events. */
export const CloudEvent = z
  .looseObject({
    specversion: z.literal('1.0').openapi({ example: '1.0' }),
    id: Attribute.openapi({ example: 'task-4711' }),
    source: Source.openapi({ example: '/orders' }),
    type: z.string().openapi({
      description: '`com.standing.` and the type of the event.',
      example: 'com.standing.task.completed',
    }),
    time: z.unknown().optional().openapi({ type: 'string', example: '2026-06-15T11:00:00.000Z' }),
    datacontenttype: z
      .unknown()
      .optional()
      .openapi({ type: 'string', example: 'application/json' }),
    data: z
      .unknown()
      .optional()
      .openapi({ type: 'object', example: { duration: 1200 } }),
  })
  .openapi('CloudEvent')

/** A batch as the body of a request: each event is judged on its own. */
export const CloudEventBatch = z
  .array(z.unknown())
  .min(1)
  .max(EVENTS_PER_BATCH_MAX)
  .transform((events) => ({ events }))
  .openapi('CloudEventBatch', {
    type: 'array',
    minItems: 1,
    maxItems: EVENTS_PER_BATCH_MAX,
    items: { $ref: '#/components/schemas/CloudEvent' },
  })

export function isCloudEvents(headers: HeadersIn): boolean {
  return mediaTypeOf(headers) === CLOUD_EVENTS_TYPE
}

export function isCloudEvent(headers: HeadersIn): boolean {
  return mediaTypeOf(headers) === CLOUD_EVENT_TYPE
}

const PREFIX = 'com.standing.'

/** Whether its type is not Standing's own: a mapping may translate it. */
export function isForeign(value: unknown): boolean {
  const parsed = CloudEvent.safeParse(value)
  return parsed.success && !parsed.data.type.startsWith(PREFIX)
}

type Read = { readonly event: object } | { readonly refusal: TrustError }

/**
 * An event in the form of the API, or what is wrong with it.
 * @param path its place in the request: `body`, or its index in a batch
 */
export function eventOfCloudEvent(
  value: unknown,
  path: string,
  row: { readonly mapping: Mapping } | null,
): Read {
  const parsed = parseBy(CloudEvent, value)
  if (!parsed.success) {
    return { refusal: invalid(issuesOf(path, parsed.error)) }
  }
  const { id, source, type, time, data } = parsed.data
  if (row && !type.startsWith(PREFIX)) {
    return mappedBy(row.mapping, parsed.data, path)
  }
  const issues = contentIssues(parsed.data).map((issue) => ({
    ...issue,
    path: pathOf(path, [issue.path]),
  }))
  if (issues.length > 0) {
    return { refusal: invalid(issues) }
  }
  return {
    event: {
      type: type.slice(PREFIX.length),
      ...(isSet(data) ? { data } : {}),
      ...(isSet(time) ? { occurredAt: time } : {}),
      externalId: nameOf(source, id),
    },
  }
}

/** The event that a mapping makes of a CloudEvent; its agent is that of the request. */
function mappedBy(mapping: Mapping, value: z.output<typeof CloudEvent>, path: string): Read {
  const { id, source, time, type } = value
  const occurredAt = typeof time === 'string' ? { occurredAt: time } : {}
  const known = { ...occurredAt, externalId: nameOf(source, id), hasAgent: true }
  const mapped = applyMapping(mapping, value, known)
  if (mapped.kind === 'report') {
    return { event: withoutNothing(mapped.event) }
  }
  const place = path === 'body' ? '' : `${path}: `
  const message = `no rule of the mapping cloudevents holds for ${type.slice(0, 100)}`
  const issues =
    mapped.kind === 'refused'
      ? mapped.issues.map((issue) => ({ ...issue, path: `${place}cloudevents.${issue.path}` }))
      : [{ path: pathOf(path, ['type']), code: 'invalid_value', message }]
  return { refusal: invalid(issues) }
}

function withoutNothing(event: MappedEvent): object {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined))
}

function contentIssues({ type, datacontenttype, data_base64 }: z.output<typeof CloudEvent>) {
  const issues: Issue[] = []
  if (!type.startsWith(PREFIX)) {
    const message = `must be ${PREFIX} and the type of an event, such as ${PREFIX}task.completed`
    issues.push({ path: 'type', code: 'invalid_value', message })
  }
  if (isSet(data_base64)) {
    const message = 'is not taken: send the data as JSON in data'
    issues.push({ path: 'data_base64', code: 'invalid', message })
  }
  if (isSet(datacontenttype) && !isJson(datacontenttype)) {
    const message = 'must be application/json or another type of JSON, or be left out'
    issues.push({ path: 'datacontenttype', code: 'invalid_value', message })
  }
  return issues
}

/** JSON event format, 2.2: an attribute that is null is one that is left out. */
function isSet(attribute: unknown): boolean {
  return attribute !== undefined && attribute !== null
}

/** JSON event format, 3.1: the subtype is `json`, or ends in `+json`. */
function isJson(type: unknown): boolean {
  return typeof type === 'string' && /^[\w.+-]+\/([\w.+-]+\+)?json\s*(;|$)/i.test(type)
}

/** A source holds no space, so the two parts cannot be mistaken. A long name is hashed. */
function nameOf(source: string, id: string): string {
  return shortened(`${source} ${id}`)
}

/** The fields of a CloudEvent, for those that an event of the API has. */
const FIELDS: Readonly<Record<string, string>> = { occurredAt: 'time' }

/** A problem of an event, with the field of the CloudEvent that it came from. */
export function cloudEventPath(path: string, issue: Issue): Issue {
  const within = path === 'body' ? issue.path : issue.path.slice(path.length + 1)
  const [field = '', ...rest] = within.split('.')
  return { ...issue, path: pathOf(path, [FIELDS[field] ?? field, ...rest]) }
}
