import { type ErrorCode, invalidField, TrustError } from '../domain/error.ts'
import { findJsonError } from '../lib/json-error.ts'
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

/** A value from a text of JSON, with the same bounds. */
export function parseText(text: string): unknown {
  const hasLongNumber = checkTokens(text)
  const value = parse(text)
  // Nothing else can be a value that is refused, and to look at each one takes longer than to parse it.
  if (hasLongNumber || text.includes('\\u') || text.includes('__proto__') || !text.isWellFormed()) {
    checkStorable(value)
  }
  return value
}

function checkContentType(contentType: string | null, refusesAs: ErrorCode): void {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((p) => p.trim()).find((p) => p.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (/^application\/(json|[\w.-]+\+json)$/.test(type.trim()) && isUtf8) {
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

/**
 * Scans the text once before parsing: its depth, the members of each object, and each number in it. Answers whether
 * a number is so long, or has an exponent, that it may be beyond a double.
 */
function checkTokens(text: string): boolean {
  let depth = 0
  members[depth] = 0
  let hasLongNumber = false
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
        checkNumber(text.slice(i, end), text)
        hasLongNumber = true
      }
      i = end - 1
    }
  }
  return hasLongNumber
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

/** @throws TrustError that names the field of the number */
function checkNumber(token: string, text: string): void {
  const value = Number(token)
  // An invalid number, or one that a double cannot represent, is reported with its position.
  if (!Number.isFinite(value)) {
    return
  }
  if (/^-?\d+$/.test(token) && BigInt(token) !== BigInt(value)) {
    const problem = `is too large a number: beyond ${Number.MAX_SAFE_INTEGER} not every one can be kept exactly`
    throw invalidField(fieldWith(value, text), problem, 'imprecise')
  }
}

/** The path of the only field with this number; the body where there are several, or the text is not valid JSON. */
function fieldWith(value: number, text: string): string {
  if (text.length > SEARCHED_CHARS_MAX) {
    return 'body'
  }
  try {
    const [path = '', ...others] = pathsTo(value, JSON.parse(text), '')
    return isNameable(path) && others.length === 0 ? path : 'body'
  } catch {
    // The rest of the text has not been checked yet: it may be no JSON, or nested too deeply.
    return 'body'
  }
}

/** Names are not checked yet either. */
function isNameable(path: string): boolean {
  return path !== '' && path.isWellFormed() && !path.includes('\u0000')
}

function pathsTo(value: number, part: unknown, path: string): readonly string[] {
  if (typeof part !== 'object' || part === null) {
    return part === value ? [path] : []
  }
  return Object.entries(part).flatMap(([key, one]) => pathsTo(value, one, within(path, key)))
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

/** Refuses what no database column can hold, and names its path. @throws VALIDATION_ERROR */
export function checkStorable(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    checkText(value, path)
  } else if (typeof value === 'number') {
    checkFinite(value, path)
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      checkStorable(item, within(path, String(i)))
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkKey(key, path)
      checkStorable(item, within(path, key))
    }
  }
}

function within(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function checkKey(key: string, path: string): void {
  if (key === '__proto__') {
    throw invalidField(within(path, key), 'is not allowed as a field name', 'unknown_field')
  }
  checkText(key, path)
}

function checkText(text: string, path: string): void {
  const problem = text.includes('\u0000')
    ? 'contains a NUL character'
    : text.isWellFormed()
      ? null
      : 'contains a lone surrogate'
  if (problem) {
    throw invalidField(path || 'body', problem, 'invalid_text')
  }
}

function checkFinite(value: number, path: string): void {
  if (!Number.isFinite(value)) {
    throw invalidField(path || 'body', 'is beyond what a double can hold', 'not_finite')
  }
}
