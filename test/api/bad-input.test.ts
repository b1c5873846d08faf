import { afterAll, describe, expect, test } from 'vitest'
import { badValues } from '../support/bad-values.ts'
import { someOf } from '../support/cases.ts'
import { OPERATIONS } from '../support/operations.ts'
import { complaints, inTurns, refusal } from '../support/refusals.ts'
import { startService } from '../support/service.ts'
import { createWorld } from '../support/world.ts'

// Thousands of requests in seconds are not what the limits are about.
const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const world = await createWorld(at)
const before = await world.stored()
afterAll(() => world.close())

describe('in the path,', () => {
  const parameters = OPERATIONS.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, schema }) => ({ operation, name, isUuid: schema.format === 'uuid' })),
  )
  const refused = async (
    { operation, name }: (typeof parameters)[number],
    text: string,
  ): Promise<readonly string[]> => {
    const { url, init } = world.request(operation, { params: { [name]: text } })
    const got = await refusal(url, init)
    return complaints(`${operation.name} ${got.paths}`, got, `params.${name}`)
  }

  test.each([
    '%00',
    '%',
    '%zz',
    '%2e%2e%2fagents',
    '%F0%9F%98%80',
    "1'%20or%201=1%20--",
    '-1',
    '1.5',
    'a'.repeat(300),
  ])('%s is not an id, and the error says so', async (text) => {
    for (const one of someOf(parameters, text.length)) {
      expect(await refused(one, text)).toEqual([])
    }
  })

  test.each([
    'x',
    '123',
    'undefined',
    'null',
    '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5',
    '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5g',
    '%7B01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e%7D',
    "01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'--",
  ])('%s is not a UUID, and the error says so', async (text) => {
    const uuids = parameters.filter(({ isUuid }) => isUuid)
    for (const one of someOf(uuids, text.length)) {
      expect(await refused(one, text)).toEqual([])
    }
  })

  test('an unknown id is NOT_FOUND', async () => {
    const nothing: Readonly<Record<string, string>> = {
      id: crypto.randomUUID(),
      deliveryId: `evt_${'0'.repeat(32)}`,
      kid: 'A'.repeat(43),
      list: '999',
    }
    for (const { operation, name } of parameters) {
      const text = nothing[name]
      if (text === undefined) {
        continue
      }
      const { url, init } = world.request(operation, { params: { [name]: text } })
      expect(await refusal(url, init), `${operation.name} ${name}`).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
      })
    }
  })
})

/** A name that is looked up may be any text: that nobody has it is an answer. */
function isFreeText(name: string): boolean {
  return name === 'identifier' || name === 'taskClass'
}

describe('in the query,', () => {
  const parameters = OPERATIONS.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({ operation, parameter })),
  )

  test('a value that the document does not allow is refused with the parameter’s name', async () => {
    const wrong: string[] = []
    const cases = parameters.flatMap(({ operation, parameter: { name, schema } }) => {
      const texts = isFreeText(name)
        ? ['\u0000', '', 'x'.repeat(1 + (schema.maxLength ?? 500))]
        : [...textsOf(schema)]
      return texts.map((text) => ({ operation, name, text }))
    })
    expect(cases.length).toBeGreaterThan(50)
    await inTurns(someOf(cases), async ({ operation, name, text }) => {
      const { url, init } = world.request(operation, { query: { [name]: text } })
      const got = await refusal(url, init)
      const what = `${operation.name}?${name}=${text.slice(0, 40)}`
      wrong.push(...complaints(what, got, `query.${name}`))
    })
    expect(wrong).toEqual([])
  })

  test('a parameter that the operation does not have is refused, on every operation', async () => {
    for (const operation of OPERATIONS) {
      const { url, init } = world.request(operation, { query: { colour: 'red' } })
      const got = await refusal(url, init)
      expect(complaints(operation.name, got, 'query.colour')).toEqual([])
      const named = got.paths.filter((path) => path === 'query.colour')
      expect(named, operation.name).toHaveLength(1)
    }
  })

  test.each(['%', '%Z', '%ZZ', '%FF', '%C3', '%C3%28', '%C0%80', '%ED%A0%80', 'a%F0%9F%98'])(
    '%s is not UTF-8 in percent-encoding, and is refused for every parameter',
    async (text) => {
      for (const { operation, parameter } of someOf(parameters, text.length)) {
        const { url, init } = world.request(operation, { query: { [parameter.name]: 'x' } })
        const got = await refusal(
          url.replace(`${parameter.name}=x`, `${parameter.name}=${text}`),
          init,
        )
        const what = `${operation.name}?${parameter.name}=${text}`
        expect(complaints(what, got, `query.${parameter.name}`)).toEqual([])
        expect(got.message, what).toContain('is not UTF-8 in percent-encoding')
      }
    },
  )

  test('text in any script is read as it was encoded, and so is a name in percent-encoding', async () => {
    const name = 'did:web:Ünïcode.例え.example'
    for (const query of [
      `identifier=${encodeURIComponent(name)}`,
      `%69dentifier=${encodeURI(name)}`,
    ]) {
      const response = await fetch(`${at.url}/v1/lookup?${query}`)
      expect([
        response.status,
        ((await response.json()) as { identifier: string }).identifier,
      ]).toEqual([200, name])
    }
    const broken = await refusal(`${at.url}/v1/lookup?identifier=a&%FF=b`, {})
    expect(broken).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
    expect(broken.message).toBe(
      'query.\ufffd: is not UTF-8 in percent-encoding; write a percent sign as %25',
    )
  })

  test('a repeated parameter is refused, even with the same value', async () => {
    for (const { operation, parameter } of parameters) {
      const { name, schema } = parameter
      const value = String(schema.example ?? schema.minimum ?? 'x')
      const { url, init } = world.request(operation, { query: { [name]: value } })
      const got = await refusal(`${url}&${name}=${encodeURIComponent(value)}`, init)
      expect(complaints(`${operation.name} ${name}`, got, `query.${name}`)).toEqual([])
    }
  })

  test.each([
    '0',
    '101',
    '1.5',
    'abc',
    '-1',
    '1e1',
    '0x10',
    ' 5',
    '+5',
    '５',
    '99999999999999999999',
    '',
  ])('limit=%s is refused', async (limit) => {
    const limits = parameters.filter(({ parameter }) => parameter.name === 'limit')
    for (const { operation } of someOf(limits, limit.length)) {
      const { url, init } = world.request(operation, { query: { limit } })
      const got = await refusal(url, init)
      expect(complaints(operation.name, got, 'query.limit')).toEqual([])
    }
  })
})

function* textsOf(schema: Parameters<typeof badValues>[0]): Generator<string> {
  yield* ['\u0000', '\ufffe', "' or 1=1 --"]
  // Text of another type is text all the same.
  for (const { value } of badValues(schema, undefined)) {
    if (typeof value === 'string' || typeof value === 'number') {
      if (schema.type !== 'string' || schema.format || String(value).length > 1_000) {
        yield String(value)
      }
    }
  }
}

describe('a cursor is valid only for its own list', () => {
  const lists = OPERATIONS.filter(({ parameters }) =>
    parameters.some(({ name, in: place }) => name === 'cursor' && place === 'query'),
  )

  test('that was changed, or belongs to another list, owner or filter, is refused', async () => {
    const cursors = new Map<string, string>()
    for (const operation of lists) {
      const { url, init } = world.request(operation, { query: { limit: '1' } })
      const page = (await (await fetch(url, init)).json()) as { nextCursor: string }
      if (page.nextCursor) {
        cursors.set(operation.name, page.nextCursor)
      }
    }
    expect(cursors.size).toBeGreaterThan(5)
    for (const [i, operation] of lists.entries()) {
      const own = cursors.get(operation.name) ?? ''
      const foreign = [...cursors].filter(([name]) => name !== operation.name).map(([, one]) => one)
      const changed =
        own === ''
          ? []
          : [
              `${own}A`,
              own.slice(1),
              own.slice(0, -1),
              `${own.slice(0, -4)}AAAA`,
              `A${own.slice(1)}`,
              own.toLowerCase(),
              `${own}=`,
            ]
      const wrong = [...foreign, ...changed, '', 'null', 'A'.repeat(40), 'e30', '[]']
      for (const cursor of someOf(
        wrong.filter((one) => one !== own),
        i,
      )) {
        const { url, init } = world.request(operation, { query: { cursor } })
        const got = await refusal(url, init)
        expect(complaints(`${operation.name} ${cursor}`, got, 'query.cursor')).toEqual([])
      }
      const hasFrom = operation.parameters.some(({ name }) => name === 'from')
      if (own === '' || !hasFrom) {
        continue
      }
      const query = { from: '2026-01-01T00:00:00Z', cursor: own }
      const { url: narrowed, init } = world.request(operation, { query })
      expect(complaints(operation.name, await refusal(narrowed, init), 'query.cursor')).toEqual([])
    }
    const theirs = { headers: world.headers['other owner'] }
    const got = await refusal(`${at.url}/v1/agents?cursor=${cursors.get('GET /v1/agents')}`, theirs)
    expect(complaints('another owner’s', got, 'query.cursor')).toEqual([])
  })
})

test('an invalid Idempotency-Key is refused by every operation', async () => {
  const keys = ['', ' ', 'a'.repeat(256), 'two words', '"open', 'é', '""', '"a" b']
  for (const [i, operation] of OPERATIONS.filter(({ method }) => method !== 'GET').entries()) {
    for (const key of someOf(keys, i)) {
      const { url, init } = world.request(operation)
      const headers = { ...init.headers, 'idempotency-key': key }
      const got = await refusal(url, { ...init, headers })
      expect(complaints(`${operation.name} ${key}`, got, 'header.Idempotency-Key')).toEqual([])
    }
  }
})

test('refused requests leave nothing in the database', async () => {
  expect(await world.stored()).toEqual(before)
})
