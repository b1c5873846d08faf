import { isJsonObject, type JsonObject } from '../../../src/lib/json-object.ts'

/** What a service answered to one request. */
export interface Answer {
  readonly request: string
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  /** The parsed body; null where it is no JSON. */
  readonly body: unknown
}

/** A rule of the interface that an answer does not follow. */
export class Difference extends Error {
  readonly expected: string
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}, got ${got}`)
    this.expected = expected
    this.got = got
  }
}

export function check(isTrue: boolean, expected: string, answer: Answer): void {
  if (!isTrue) {
    throw new Difference(expected, shown(answer))
  }
}

/** Enough to see what is wrong, and no page of it. */
const SHOWN_MAX = 300

function shown({ request, status, body }: Answer): string {
  return `${request} -> ${status} ${JSON.stringify(body)}`.slice(0, SHOWN_MAX)
}

/** The interface does not show which of the 2xx an operation answers. */
export function succeeded(answer: Answer): Answer {
  check(answer.status >= 200 && answer.status < 300, 'a 2xx status', answer)
  return answer
}

/** An error body of the one shape, with its code and status. */
export function refused(answer: Answer, status: number, code: string): void {
  check(answer.status === status, `status ${status}`, answer)
  const error = objectIn(objectIn(answer.body).error)
  check(error.code === code, `error.code ${code}`, answer)
  check(typeof error.message === 'string', 'error.message, a text', answer)
  check(isJsonObject(error.details), 'error.details, an object', answer)
}

export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The items of a list, and where the next page begins. The interface names `nextCursor` alone. */
export function pageIn(answer: Answer) {
  const body = objectIn(succeeded(answer).body)
  check('nextCursor' in body, 'a list with nextCursor', answer)
  const items = Object.values(body).find((value) => Array.isArray(value))
  check(items !== undefined, 'a list of items', answer)
  return {
    items: (items ?? []) as readonly JsonObject[],
    nextCursor: typeof body.nextCursor === 'string' ? body.nextCursor : null,
  }
}

export const JWT = /^ey[\w-]+\.[\w-]+\.[\w-]+$/

/** The first text in the body, at any depth, that has this form. */
export function textIn(answer: Answer, form: RegExp, called: string): string {
  const found = textsOf(succeeded(answer).body).find((text) => form.test(text))
  check(found !== undefined, called, answer)
  return found ?? ''
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return [value]
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** The list has the resource with this id. */
export function lists(answer: Answer, id: string, called: string): void {
  const ids = pageIn(answer).items.map((item) => item.id)
  check(ids.includes(id), `the ${called} ${id}`, answer)
}

/** The id of the resource, at the top level or in an object of its own. */
export function idIn(answer: Answer): string {
  const body = objectIn(succeeded(answer).body)
  const inner = Object.values(body).find((value) => isJsonObject(value) && 'id' in value)
  const id = body.id ?? objectIn(inner).id
  check(typeof id === 'string', 'an id', answer)
  return String(id)
}

export function scoreIn(answer: Answer): number {
  const { score } = objectIn(succeeded(answer).body)
  const isScore = typeof score === 'number' && score >= 0 && score <= 1000
  check(isScore, 'score, a number from 0 to 1000', answer)
  return Number(score)
}
