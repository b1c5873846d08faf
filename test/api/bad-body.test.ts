import { afterAll, describe, expect, test } from 'vitest'
import { badValues } from '../support/bad-values.ts'
import { someOf } from '../support/cases.ts'
import { type Described, OPERATIONS } from '../support/operations.ts'
import { complaints, inTurns, refusal } from '../support/refusals.ts'
import { startService } from '../support/service.ts'
import { createWorld } from '../support/world.ts'

// Thousands of requests in seconds are not what the limits are about.
const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const world = await createWorld(at)
const before = await world.stored()
afterAll(() => world.close())

const withBody = OPERATIONS.filter(({ bodySchema }) => bodySchema)

describe('a body that the document does not allow is refused with the field’s name', () => {
  test.each(withBody.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_name, operation) => {
      const wrong: string[] = []
      const cases = [...badValues(operation.bodySchema ?? {}, operation.examples[0])]
      expect(cases.length).toBeGreaterThan(4)
      await inTurns(someOf(cases, withBody.indexOf(operation)), async ({ what, path, value }) => {
        const { url, init } = world.request(operation, { body: value })
        const name = path.join('.') || 'body'
        wrong.push(...complaints(what, await refusal(url, init), name))
      })
      expect(wrong).toEqual([])
    },
  )
})

/** Text for a body that no parser may let through, with a name for the report. */
const NO_JSON: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  'a word': 'hello',
  'an open object': '{',
  'an open string': '{"a',
  'a trailing comma': '{"a":1,}',
  'two values': '{} {}',
  'single quotes': "{'a':1}",
  'a bare key': '{a:1}',
  comments: '{/* a */"a":1}',
  NaN: '{"a":NaN}',
  Infinity: '{"a":-Infinity}',
  'a leading zero': '{"a":012}',
  'a leading plus': '{"a":+1}',
  'a number without an end': '{"a":1.}',
  hexadecimal: '{"a":0x1f}',
  'a raw line break in a string': '{"a":"b\nc"}',
  'an unknown escape': '{"a":"\\x41"}',
  'half an escape': '{"a":"\\u00"}',
  'a byte order mark': '\ufeff{}',
  'a form feed for a space': '\f{}',
  'bytes that are not UTF-8': new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'an overlong UTF-8 form': new Uint8Array([0x22, 0xc0, 0x80, 0x22]),
  'a surrogate in UTF-8': new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]),
  UTF16: Buffer.from('\ufeff{}', 'utf16le'),
  'an array of open arrays': '['.repeat(100_000),
  'objects 33 levels deep': `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  'a key named __proto__': '{"__proto__":{"polluted":true}}',
  'a key named __proto__, escaped': '{"\\u005f_proto__":{"polluted":true}}',
  'a number that loses precision': '{"a":9007199254740993}',
  'a number beyond a double': '{"a":1e400}',
  'a NUL in a key': '{"a\\u0000":1}',
  'half a surrogate pair in a key': '{"\\ud800":1}',
}

describe('a body that is not JSON, or cannot be stored, is refused', () => {
  test.each(withBody.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_name, operation) => {
      const wrong: string[] = []
      const texts = someOf(Object.entries(NO_JSON), withBody.indexOf(operation))
      await inTurns(texts, async ([what, body]) => {
        if (body === '' && !operation.isBodyRequired) {
          return
        }
        const { url, init } = world.request(operation)
        wrong.push(...complaints(what, await refusal(url, { ...init, body: body as string })))
      })
      expect(wrong).toEqual([])
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    },
  )
})

test('text and numbers that cannot be stored are refused anywhere in a body, with their path', async () => {
  const wrong: string[] = []
  const cases = withBody.flatMap((operation) =>
    leavesOf(operation.examples[0]).flatMap((path) =>
      ['"a\\u0000b"', '"a\\ud800"', '"\\udc00a"', '1e400', '-1e999', '99999999999999999999'].map(
        (raw) => ({
          operation,
          path,
          raw,
        }),
      ),
    ),
  )
  expect(cases.length).toBeGreaterThan(50)
  await inTurns(someOf(cases), async ({ operation, path, raw }) => {
    const { url, init } = world.request(operation, {
      body: replaced(operation.examples[0], path, MARK),
    })
    const body = String(init.body).replace(`"${MARK}"`, raw)
    const what = `${operation.name} ${path.join('.')} = ${raw}`
    wrong.push(...complaints(what, await refusal(url, { ...init, body }), path.join('.')))
  })
  expect(wrong).toEqual([])
})

test.each([
  ['imprecise', '1795939457073136607', '1795939457073136608'],
  ['not_finite', '1e400', '-1e400'],
  ['invalid_text', '"a\\u0000"', '"\\ud800"'],
])('each of several values that cannot be stored is named: %s', async (code, first, second) => {
  const { url, init } = world.request(
    withBody.find(({ name }) => name === 'POST /v1/events') as Described,
  )
  const issuesOf = async (body: string) => {
    const response = await fetch(url, { ...init, body })
    const { error } = (await response.json()) as {
      error: { details: { issues: { path: string; code: string }[] } }
    }
    return error.details.issues.map((issue) => [issue.path, issue.code])
  }
  const data = `"data":{"list":[0,${first}],"exact":1795939457073136640,"later":${second}}`
  expect(await issuesOf(`{"type":"task.completed",${data},"x":${first}}`)).toEqual([
    ['data.list.1', code],
    ['data.later', code],
    ['x', code],
  ])
  const many = `[${Array.from({ length: 150 }, () => first).join(',')}]`
  expect(await issuesOf(`{"x":${many}}`)).toHaveLength(100)
})

test('a long name of a field is cut in the paths of its values', async () => {
  const { url, init } = world.request(
    withBody.find(({ name }) => name === 'POST /v1/events') as Described,
  )
  const body = `{"${'x'.repeat(100_000)}":{${Array.from({ length: 150 }, (_, i) => `"${i}":1e400`)}}}`
  const response = await fetch(url, { ...init, body })
  const text = await response.text()
  // First, since the others would show ten megabytes.
  expect(text.length).toBeLessThan(50_000)
  expect(JSON.parse(text).error.details.issues).toHaveLength(100)
  expect(JSON.parse(text).error.details.issues[0].path).toBe(`${'x'.repeat(200)}…`)
})

const MARK = 'to be replaced'

function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) {
    return [path]
  }
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, [...path, key]))
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) {
    return by
  }
  const whole = value as Record<string, unknown>
  const changed = { ...whole, [key]: replaced(whole[key], rest, by) }
  return Array.isArray(value) ? Object.values(changed) : changed
}

test('a missing body is a validation error, not an unsupported media type', async () => {
  for (const operation of withBody.filter(({ isBodyRequired }) => isBodyRequired)) {
    const { url, init } = world.request(operation)
    const { 'content-type': _type, ...headers } = init.headers as Record<string, string>
    const { status, paths } = await refusal(url, { ...init, headers, body: null })
    expect({ status, paths }, operation.name).toEqual({ status: 400, paths: ['body'] })
  }
})

describe('a body that is not plain JSON is refused:', () => {
  const refused = async (operation: Described, headers: Record<string, string>, body?: string) => {
    const { url, init } = world.request(operation)
    const own = { ...(init.headers as Record<string, string>), ...headers }
    return refusal(url, { ...init, headers: own, ...(body === undefined ? {} : { body }) })
  }

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/merge-patch+json',
    'application/json-patch+json',
    'json',
    '',
  ])('content-type %j', async (type) => {
    for (const operation of someOf(withBody, type.length)) {
      expect(await refused(operation, { 'content-type': type }), operation.name).toMatchObject({
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      })
    }
  })

  test('compressed', async () => {
    const encodings = ['gzip', 'br', 'deflate', 'gzip, identity']
    for (const [i, operation] of withBody.entries()) {
      const encoding = encodings[i % encodings.length] ?? ''
      expect(await refused(operation, { 'content-encoding': encoding })).toMatchObject({
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      })
    }
  })

  test('no content-type', async () => {
    for (const operation of withBody) {
      const { url, init } = world.request(operation)
      const { 'content-type': _type, ...headers } = init.headers as Record<string, string>
      const body = new Blob([String(init.body)])
      expect(await refusal(url, { ...init, headers, body })).toMatchObject({ status: 415 })
    }
  })

  test('300 KB of it, with or without a content-length', async () => {
    const big = JSON.stringify({ a: 'a'.repeat(300_000) })
    const changing = OPERATIONS.filter(({ method }) => method !== 'GET')
    for (const operation of someOf(changing)) {
      const { url, init } = world.request(operation)
      const tooLarge = { status: 413, code: 'PAYLOAD_TOO_LARGE' }
      expect(await refusal(url, { ...init, body: big }), operation.name).toMatchObject(tooLarge)
      const stream = new Blob([big]).stream()
      const unannounced = { ...init, body: stream, duplex: 'half' } as RequestInit
      expect(await refusal(url, unannounced), operation.name).toMatchObject(tooLarge)
    }
  })
})

describe('an operation that takes no body', () => {
  const without = OPERATIONS.filter(({ method, bodySchema }) => method !== 'GET' && !bodySchema)
  const sent = (operation: Described, body: string, type = 'application/json') => {
    const { url, init } = world.request(operation)
    const own = { ...(init.headers as Record<string, string>), 'content-type': type }
    return refusal(url, { ...init, headers: own, body })
  }

  test('refuses a body', async () => {
    expect(without.length).toBeGreaterThan(5)
    const wrong: string[] = []
    for (const operation of someOf(without)) {
      const { name } = operation
      wrong.push(...complaints(name, await sent(operation, '{"surprise":1}'), 'surprise'))
      wrong.push(...complaints(name, await sent(operation, '[]'), 'body'))
      wrong.push(...complaints(name, await sent(operation, '{'), 'body'))
      expect(await sent(operation, 'a=b', 'text/plain')).toMatchObject({ status: 415 })
    }
    expect(wrong).toEqual([])
  })

  test('accepts an empty object', async () => {
    const operation = without.find(({ name }) => name === 'POST /v1/credentials/{id}/verify')
    expect(await sent(operation as Described, '{}')).toMatchObject({ status: 200 })
  })
})

test('JSON in any of its media types and charsets is accepted', async () => {
  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/cloudevents+json',
  ]) {
    const body = JSON.stringify({ agentIds: [crypto.randomUUID()] })
    const response = await fetch(`${at.url}/v1/scores/batch`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(response.status).toBe(200)
  }
})

test('refused requests leave nothing in the database', async () => {
  expect(await world.stored()).toEqual(before)
})
