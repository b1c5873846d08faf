/** The lines of a simulation, as docs/simulate.md describes them. */
import { EventBody } from '../../../src/api/events/input-schema.ts'
import { problemsOf, TrustError } from '../../../src/domain/error.ts'
import { REPORTED_TYPES, type ReportedType } from '../../../src/domain/event.ts'
import { issuesOf } from '../../../src/http/issues.ts'
import { parseText } from '../../../src/http/json.ts'
import { parseBy } from '../../../src/http/validation-messages.ts'
import type { ReportedEvent } from '../../../src/ingest/report.ts'
import { isJsonObject, type JsonObject } from '../../../src/lib/json-object.ts'
import { readData } from './event-data.ts'
import { timeOf } from './times.ts'

/** Times are milliseconds since 1970. Participants are named as in the file. */
export type Line = PlatformLine | AgentLine | EventLine | IssueLine | DeactivateLine | AskLine

export interface PlatformLine {
  readonly kind: 'platform'
  readonly at: number | null
  readonly platform: string
  /** The owner who runs it; undefined where the line does not say. */
  readonly owner: string | null | undefined
  readonly verified: boolean | undefined
}

export interface AgentLine {
  readonly kind: 'agent'
  readonly at: number | null
  readonly agent: string
  readonly owner: string | null
  /** The agent that it acts for; undefined where the line does not say. */
  readonly parent: string | undefined
}

export interface EventLine {
  readonly kind: 'event'
  readonly at: number
  readonly agent: string
  /** A platform, `self` or `owner`. */
  readonly by: string
  readonly event: ReportedEvent
}

export interface IssueLine {
  readonly kind: 'issue'
  readonly at: number
  readonly agent: string
  /** A platform or `owner`. */
  readonly by: string
  readonly type: string
}

export interface DeactivateLine {
  readonly kind: 'deactivate'
  readonly at: number
  readonly agent: string
}

export interface AskLine {
  readonly kind: 'ask'
  readonly at: number
  /** The time as it is written. */
  readonly text: string
  readonly agent: string
}

/** What is wrong with a line, as a sentence that says what to write instead. */
export class LineError extends Error {
  override readonly name = 'LineError'
}

export interface LineReader {
  /** Called with fields that mean nothing here, and what the line may have. */
  readonly onUnknownField: (field: string, known: readonly string[]) => void
}

/** The fields of each kind of line; those that distinguish the kinds first. */
const FIELDS = {
  ask: ['ask', 'at'],
  issue: ['issue', 'at', 'by', 'type'],
  deactivate: ['deactivate', 'at'],
  platform: ['platform', 'at', 'owner', 'verified'],
  event: ['type', 'at', 'agent', 'by', 'data', 'occurredAt', 'externalId'],
  agent: ['agent', 'at', 'owner', 'parent'],
} as const satisfies Record<Line['kind'], readonly string[]>

const KINDS = Object.keys(FIELDS) as readonly Line['kind'][]

const ALL_FIELDS: ReadonlySet<string> = new Set(Object.values(FIELDS).flat())

/** Reads one line. @throws LineError that names every problem of its form */
export function parseLine(text: string, reader: LineReader): Line {
  const fields = objectOf(text)
  const kind = kindOf(fields)
  try {
    checkFields(fields, kind, reader)
    return lineOf(fields, kind, readPart)
  } catch (error) {
    throw error instanceof LineError ? new LineError(problemsIn(fields, kind)) : error
  }
}

/** Calls what reads a part of a line. */
type PartReader = <T>(read: (fields: JsonObject) => T, fields: JsonObject) => T

const readPart: PartReader = (read, fields) => read(fields)

function lineOf(fields: JsonObject, kind: Line['kind'], part: PartReader): Line {
  switch (kind) {
    case 'event':
      return {
        kind,
        at: part(timeIn, fields),
        agent: part(agentIn, fields),
        by: part(reporterIn, fields),
        event: part(eventIn, fields),
      }
    case 'ask':
      return {
        kind,
        at: part(timeIn, fields),
        text: String(fields.at),
        agent: part(askedIn, fields),
      }
    case 'issue':
      return {
        kind,
        at: part(timeIn, fields),
        agent: part(subjectIn, fields),
        by: part(issuerIn, fields),
        type: part(typeIn, fields),
      }
    case 'deactivate':
      return { kind, at: part(timeIn, fields), agent: part(deactivatedIn, fields) }
    case 'platform':
      return {
        kind,
        at: part(optionalTimeIn, fields),
        platform: part(platformIn, fields),
        owner: part(ownerIn, fields),
        verified: part(verifiedIn, fields),
      }
    case 'agent':
      return {
        kind,
        at: part(optionalTimeIn, fields),
        agent: part(agentIn, fields),
        owner: part(ownerIn, fields) ?? null,
        parent: part(parentIn, fields) ?? undefined,
      }
  }
}

/** Every problem of a line. Each part is read again: a line without a problem must not pay for that. */
function problemsIn(fields: JsonObject, kind: Line['kind']): string {
  const problems: string[] = []
  const note: PartReader = (read) => {
    try {
      return read(fields)
    } catch (error) {
      if (!(error instanceof LineError)) {
        throw error
      }
      problems.push(error.message)
      // The line that is made of it is not used.
      return undefined as never
    }
  }
  note((line) => checkFields(line, kind, { onUnknownField: () => undefined }), fields)
  lineOf(fields, kind, note)
  return problems.join(' ')
}

function objectOf(text: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new LineError(`it is not JSON. Write one JSON object a line, not ${shown(text)}`)
  }
  if (!isJsonObject(value)) {
    throw new LineError(`it is no JSON object: ${shown(text)}`)
  }
  // Few lines have an escape at all: to look for its first character takes a tenth of the time.
  if (text.includes('\\') && UNSTORABLE_ESCAPE.test(text)) {
    checkTexts(text)
  }
  return value
}

/** Of a NUL, or of a half of a surrogate pair: no database column can hold these. */
const UNSTORABLE_ESCAPE = /\\u(?:0000|d[89a-f])/i

/** @throws LineError as the API refuses such a text */
function checkTexts(text: string): void {
  try {
    parseText(text)
  } catch (error) {
    if (error instanceof TrustError && error.code === 'VALIDATION_ERROR') {
      throw new LineError(`${problemsOf(error)}.`)
    }
    throw error
  }
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function kindOf(fields: JsonObject): Line['kind'] {
  if (fields.type !== undefined && fields.agent !== undefined) {
    return 'event'
  }
  const kind = KINDS.find((one) => one !== 'event' && fields[one] !== undefined)
  if (kind === 'agent' && fields.by !== undefined) {
    return 'event'
  }
  if (kind === undefined) {
    throw new LineError(
      'it is not a line of a simulation. An event has at, agent, by and type; other lines begin ' +
        'with platform, agent, issue, deactivate or ask.',
    )
  }
  return kind
}

/** A field of another kind of line shows that two are mixed up; one that means nothing is ignored. */
function checkFields(fields: JsonObject, kind: Line['kind'], { onUnknownField }: LineReader): void {
  const known: readonly string[] = FIELDS[kind]
  for (const field in fields) {
    if (known.includes(field)) {
      continue
    }
    if (ALL_FIELDS.has(field)) {
      const article = /^[aei]/.test(kind) ? 'an' : 'a'
      throw new LineError(`${article} ${kind} line has no ${field}; it has ${known.join(', ')}.`)
    }
    onUnknownField(field, known)
  }
}

function platformIn(fields: JsonObject): string {
  const platform = nameIn(fields.platform, 'platform')
  if (platform === 'self' || platform === 'owner') {
    throw new LineError(`a platform cannot be called ${platform}: it means the agent’s own side.`)
  }
  return platform
}

function verifiedIn({ verified }: JsonObject): boolean | undefined {
  if (verified !== undefined && typeof verified !== 'boolean') {
    throw new LineError(`verified must be true or false, not ${JSON.stringify(verified)}.`)
  }
  return verified
}

// Each reads its field by a name in the code: a name in a variable would be looked up in each line.
const agentIn = (fields: JsonObject) => nameIn(fields.agent, 'agent')
const reporterIn = (fields: JsonObject) => nameIn(fields.by, 'by')
const askedIn = (fields: JsonObject) => nameIn(fields.ask, 'ask')
const subjectIn = (fields: JsonObject) => nameIn(fields.issue, 'issue')
const typeIn = (fields: JsonObject) => nameIn(fields.type, 'type')
const deactivatedIn = (fields: JsonObject) => nameIn(fields.deactivate, 'deactivate')
const ownerIn = (fields: JsonObject) => optionalNameIn(fields.owner, 'owner')
const parentIn = (fields: JsonObject) => optionalNameIn(fields.parent, 'parent')

function issuerIn(fields: JsonObject): string {
  const by = reporterIn(fields)
  if (by === 'self') {
    throw new LineError('an agent issues no credential to itself: write "by":"owner".')
  }
  return by
}

/** The event as the API would take it. */
function eventIn(fields: JsonObject): ReportedEvent {
  const { occurredAt: given, externalId } = fields
  const type = TYPES.get(fields.type)
  const occurredAt = typeof given === 'string' ? (timeOf(given) ?? undefined) : undefined
  if (
    type !== undefined &&
    isName(externalId) &&
    (given === undefined || occurredAt !== undefined)
  ) {
    const data = readData(type, fields.data)
    if (data) {
      return { type, data, occurredAt, externalId }
    }
  }
  return eventBySchema(fields, occurredAt)
}

/** @throws LineError in the words of the API. What is valid in an unusual way is taken too. */
function eventBySchema(
  { type, data, occurredAt: given, externalId }: JsonObject,
  occurredAt: number | undefined,
): ReportedEvent {
  if (type === undefined) {
    throw new LineError(`type is missing: one of ${REPORTED_TYPES.join(', ')}.`)
  }
  const body =
    occurredAt === undefined && given !== undefined
      ? { type, data, externalId, occurredAt: given }
      : { type, data, externalId }
  const parsed = parseBy(EventBody, body)
  if (!parsed.success) {
    const issues = issuesOf('body', parsed.error)
    throw new LineError(issues.map(({ path, message }) => `${path} ${message}.`).join(' '))
  }
  const { data: valid } = parsed.data
  return { type: parsed.data.type, data: valid, occurredAt, externalId: parsed.data.externalId }
}

/** As the API takes an `externalId`. */
function isName(externalId: unknown): externalId is string | undefined {
  return (
    externalId === undefined ||
    (typeof externalId === 'string' && externalId.length >= 1 && externalId.length <= 100)
  )
}

/** Gives the text of the table for that of the line: V8 looks up, and compares, a text that is kept once by
 *  its place in memory. */
const TYPES: ReadonlyMap<unknown, ReportedType> = new Map(
  REPORTED_TYPES.map((type) => [type, type]),
)

/** Long enough for a UUID or a URL; it bounds what a name takes of the memory. */
const NAME_LENGTH_MAX = 200

/** The name that a field has. */
function nameIn(name: unknown, field: string): string {
  if (name === undefined) {
    throw new LineError(`${field} is missing.`)
  }
  if (typeof name !== 'string' || name === '' || name.length > NAME_LENGTH_MAX) {
    throw new LineError(
      `${field} must be a text of 1 to ${NAME_LENGTH_MAX} characters, not ${shown(JSON.stringify(name))}.`,
    )
  }
  return name
}

function optionalNameIn(name: unknown, field: string): string | null | undefined {
  return name === undefined || name === null ? name : nameIn(name, field)
}

function optionalTimeIn(fields: JsonObject): number | null {
  return fields.at === undefined || fields.at === null ? null : timeIn(fields)
}

function timeIn({ at }: JsonObject): number {
  if (at === undefined) {
    throw new LineError('at is missing: the time of the line, such as "2026-01-01T06:00:00Z".')
  }
  const time = typeof at === 'string' ? timeOf(at) : null
  if (time === null) {
    throw new LineError(
      `at must be an RFC 3339 time such as "2026-01-01T06:00:00Z", not ${JSON.stringify(at)}.`,
    )
  }
  if (time < 0) {
    throw new LineError(`at must not be before 1970, as ${at} is.`)
  }
  return time
}
