import { type ErrorCode, type Issue, invalid, invalidField, TrustError } from '../domain/error.ts'
import { findJsonError } from '../lib/json-error.ts'
import { ISSUES_MAX } from './issues.ts'
import type { HeadersIn } from './request.ts'

/** Deeper than any honest metadata; `JSON.parse` itself accepts hundreds of thousands of levels. */
const DEPTH_MAX = 32

/** More than the largest metadata have (16 KiB). To check each of 25,000 members took a tenth of a second. */
const MEMBERS_MAX = 4_096

/**
 * A JSON body: UTF-8, bounded in depth, and only values that can be stored and returned unchanged.
 */
export function parseJson(
  headers: HeadersIn,
  bytes: Uint8Array,
  refusesAs: ErrorCode = 'UNSUPPORTED_MEDIA_TYPE',
): unknown {
  checkContentType(headers.get('content-type'), refusesAs)
  checkEncoding(headers.get('content-encoding'))
  return parseText(decode(bytes))
}

/**
 * A value from a text of JSON, with the same bounds. `rounded` takes integers that a double cannot hold exactly, for
 * what is not returned unchanged. @throws VALIDATION_ERROR naming every value that cannot be stored
 */
export function parseText(text: string, integers: 'exact' | 'rounded' = 'exact'): unknown {
  const long = checkTokens(text)
  const value = parse(text)
  // Nothing else can be a value that is refused, and to look at each one takes longer than to parse it.
  if (long || text.includes('\\u') || text.includes('__proto__') || !text.isWellFormed()) {
    const imprecise = integers === 'exact' && long ? long.filter(isImprecise) : []
    checkStorable(value, imprecise.length > 0 ? JSON.parse(without(text, imprecise)) : value)
  }
  return value
}

/** A patch says what to do with a resource: taken for its fields, a merge would replace what it names in part. */
const JSON_TYPE = /^application\/(json|(?!(?:merge|json)-patch\+)[\w.-]+\+json)$/

function checkContentType(contentType: string | null, refusesAs: ErrorCode): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (JSON_TYPE.test(type.trim()) && isUtf8) {
    return
  }
  throw new TrustError(
    refusesAs,
    'send the body as JSON in UTF-8, with the header content-type: application/json',
  )
}

/** Bodies are not decompressed: a few bytes could expand to very many. */
export function checkEncoding(encoding: string | null): void {
  if (encoding === null || encoding.trim().toLowerCase() === 'identity') {
    return
  }
  throw new TrustError('UNSUPPORTED_MEDIA_TYPE', 'send the body as it is, without Content-Encoding')
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidField('body', 'is not valid UTF-8')
  }
}

/** The members so far of the object at each depth. Scanning waits for nothing, so one is enough. */
const members = new Uint32Array(DEPTH_MAX + 1)

/** A number as it is written, with its place in the text. */
interface NumberToken {
  readonly start: number
  readonly digits: string
}

/**
 * Scans the text once before parsing: its depth, the members of each object, and each number in it. Returns the
 * numbers that are so long, or have an exponent, that they may be beyond a double; null where there are none.
 */
function checkTokens(text: string): readonly NumberToken[] | null {
  let depth = 0
  members[depth] = 0
  let long: NumberToken[] | null = null
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) {
      i = endOfString(text, i)
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > DEPTH_MAX) {
        throw invalidField('body', `is nested deeper than ${DEPTH_MAX} levels`, 'too_deep')
      }
      members[depth] = 0
    } else if (c === COLON) {
      countMember(depth)
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth--
    } else if (c === MINUS || (c >= ZERO && c <= NINE)) {
      const end = endOfNumber(text, i)
      if (end - i > SAFE_DIGITS || hasExponent(text, i, end)) {
        long ??= []
        long.push({ start: i, digits: text.slice(i, end) })
      }
      i = end - 1
    }
  }
  return long
}

/** @throws TrustError where the object at this depth has too many */
function countMember(depth: number): void {
  const count = (members[depth] ?? 0) + 1
  members[depth] = count
  if (count > MEMBERS_MAX) {
    throw invalidField('body', `has an object of more than ${MEMBERS_MAX} members`, 'too_big')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const LARGE_E = 0x45
const SMALL_E = 0x65

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === BACKSLASH) {
      i++
    } else if (c === QUOTE) {
      return i
    }
  }
  return text.length
}

/** Integers of up to fifteen digits are always exact in a double. */
const SAFE_DIGITS = 15

function endOfNumber(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && isInNumber(text.charCodeAt(end))) {
    end++
  }
  return end
}

function isInNumber(c: number): boolean {
  return (c >= ZERO && c <= NINE) || c === POINT || c === MINUS || c === PLUS || isExponent(c)
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (isExponent(text.charCodeAt(i))) {
      return true
    }
  }
  return false
}

function isExponent(c: number): boolean {
  return c === SMALL_E || c === LARGE_E
}

/** Whether it is an integer that a double holds, but not exactly. */
function isImprecise({ digits }: NumberToken): boolean {
  const value = Number(digits)
  return /^-?\d+$/.test(digits) && Number.isFinite(value) && BigInt(digits) !== BigInt(value)
}

/** The text with null for each of these numbers. */
function without(text: string, numbers: readonly NumberToken[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, digits } of numbers) {
    parts.push(text.slice(from, start), 'null')
    from = start + digits.length
  }
  return parts.join('') + text.slice(from)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidField('body', `is not valid JSON${placeOf(text)}`, 'invalid_json')
  }
}

/**
 * To find an error takes up to a tenth of a microsecond for each character, many times as long as to parse it. A
 * text that a person has written is shorter than this.
 */
const SEARCHED_CHARS_MAX = 65_536

/** Where the text is wrong. The message shows nothing of it: it may be a password. */
function placeOf(text: string): string {
  const error = text.length > SEARCHED_CHARS_MAX ? null : findJsonError(text)
  if (!error) {
    return ''
  }
  const { line, column, expected } = error
  const place = text.includes('\n') ? `in line ${line}, column ${column}` : `at column ${column}`
  return `: ${place}, it must have ${expected}`
}

/**
 * Refuses what no database column can hold. `exact` is the same value with null for each number that is not exact.
 * @throws VALIDATION_ERROR naming each path
 */
export function checkStorable(value: unknown, exact: unknown = value): void {
  const issues: Issue[] = []
  addIssues(issues, value, exact, '')
  if (issues.length > 0) {
    throw invalid(issues)
  }
}

/** Adds what is wrong with a value, up to as many issues as an error names. */
function addIssues(issues: Issue[], value: unknown, exact: unknown, path: string): void {
  if (issues.length >= ISSUES_MAX) {
    return
  }
  if (typeof value !== 'object' || value === null) {
    addIssue(issues, path, problemOf(value, exact))
    return
  }
  const isList = Array.isArray(value)
  const exactly = exact as Readonly<Record<string, unknown>>
  for (const [key, item] of Object.entries(value)) {
    const inside = within(path, key)
    const textProblem = isList ? null : problemOfText(key)
    if (textProblem) {
      // The name itself cannot be shown.
      addIssue(issues, path, textProblem)
    } else if (key === '__proto__') {
      addIssue(issues, inside, ['unknown_field', 'is not allowed as a field name'])
    } else {
      addIssues(issues, item, exactly[key], inside)
    }
  }
}

/** The code and the message of an issue. */
type Problem = readonly [string, string]

function addIssue(issues: Issue[], path: string, problem: Problem | null): void {
  if (problem && issues.length < ISSUES_MAX) {
    const [code, message] = problem
    issues.push({ path: path || 'body', code, message })
  }
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function problemOf(value: unknown, exact: unknown): Problem | null {
  if (typeof value === 'string') {
    return problemOfText(value)
  }
  if (typeof value !== 'number') {
    return null
  }
  if (!Number.isFinite(value)) {
    return ['not_finite', 'is beyond what a double can hold']
  }
  return exact === value ? null : ['imprecise', IMPRECISE]
}

const IMPRECISE = `is too large a number: beyond ${Number.MAX_SAFE_INTEGER} not every one can be kept exactly`

function problemOfText(text: string): Problem | null {
  if (text.includes('\u0000')) {
    return ['invalid_text', 'contains a NUL character']
  }
  return text.isWellFormed() ? null : ['invalid_text', 'contains a lone surrogate']
}
