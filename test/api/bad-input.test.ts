import { afterAll, describe, expect, test } from 'vitest'
import { badValues } from '../support/bad-values.ts'
import { complaints, inTurns, refusal } from '../support/refusals.ts'
import { startService } from '../support/service.ts'
import { createWorld, OPERATIONS, withQuery } from '../support/world.ts'

// Thousands of requests in seconds are not what the limits are about.
const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const world = await createWorld(at)
const before = await world.stored()
afterAll(() => world.close())

describe('in the path,', () => {
  const withId = OPERATIONS.filter(({ path }) => path.includes('{id}'))
  const withIdOf = (path: string, id: string) =>
    path.replace('{deliveryId}', world.deliveryId).replace('{id}', id)

  test.each([
    'x',
    '123',
    'undefined',
    'null',
    '%00',
    '%',
    '%zz',
    '%2e%2e%2fagents',
    '%F0%9F%98%80',
    '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5',
    '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5g',
    '{01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e}',
    "01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'--",
    'a'.repeat(300),
  ])('%s is no id, and says so', async (id) => {
    for (const operation of withId) {
      const { init } = world.request(operation)
      const url = at.url + withIdOf(operation.path, id)
      const got = await refusal(url, init)
      expect(complaints(`${operation.name} ${got.paths}`, got, 'params.id')).toEqual([])
    }
  })

  test('an id of nothing is NOT_FOUND', async () => {
    for (const operation of withId) {
      const { init } = world.request(operation)
      const url = at.url + withIdOf(operation.path, crypto.randomUUID())
      expect(await refusal(url, init), operation.name).toMatchObject({
        status: 404,
        code: 'NOT_FOUND',
      })
    }
  })
})

describe('in the query,', () => {
  const parameters = OPERATIONS.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => ({ operation, parameter })),
  )

  test('a value that the document does not allow is refused with the parameter’s name', async () => {
    const wrong: string[] = []
    const cases = parameters.flatMap(({ operation, parameter: { name, schema } }) =>
      [...textsOf(schema)].map((text) => ({ operation, name, text })),
    )
    expect(cases.length).toBeGreaterThan(50)
    await inTurns(cases, async ({ operation, name, text }) => {
      const { url, init } = world.request(operation)
      const got = await refusal(withQuery(url, name, text), init)
      const what = `${operation.name}?${name}=${text.slice(0, 40)}`
      wrong.push(...complaints(what, got, `query.${name}`))
    })
    expect(wrong).toEqual([])
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
  ])('limit=%s is refused', async (limit) => {
    for (const { operation } of parameters.filter(({ parameter }) => parameter.name === 'limit')) {
      const { url, init } = world.request(operation)
      const got = await refusal(withQuery(url, 'limit', limit), init)
      expect(complaints(operation.name, got, 'query.limit')).toEqual([])
    }
  })
})

function* textsOf(schema: Parameters<typeof badValues>[0]): Generator<string> {
  yield* ['\u0000', '\ufffe', "' or 1=1 --"]
  // An empty parameter counts as left out; text of another type is text all the same.
  for (const { value } of badValues(schema, undefined))
    if (value !== '' && (typeof value === 'string' || typeof value === 'number'))
      if (schema.type !== 'string' || schema.format || String(value).length > 1_000)
        yield String(value)
}

describe('a cursor is good for its own list alone', () => {
  const lists = OPERATIONS.filter(({ parameters }) =>
    parameters.some(({ name, in: place }) => name === 'cursor' && place === 'query'),
  )

  test('not changed, not of another list, not of another owner, not with other filters', async () => {
    const cursors = new Map<string, string>()
    for (const operation of lists) {
      const { url, init } = world.request(operation)
      const page = (await (await fetch(withQuery(url, 'limit', '1'), init)).json()) as {
        nextCursor: string
      }
      if (page.nextCursor) cursors.set(operation.name, page.nextCursor)
    }
    expect(cursors.size).toBeGreaterThan(5)
    for (const operation of lists) {
      const { url, init } = world.request(operation)
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
      for (const cursor of [...foreign, ...changed, 'null', 'A'.repeat(40), 'e30', '[]']) {
        if (cursor === own) continue
        const got = await refusal(withQuery(url, 'cursor', cursor), init)
        expect(complaints(`${operation.name} ${cursor}`, got, 'query.cursor')).toEqual([])
      }
      const hasFrom = operation.parameters.some(({ name }) => name === 'from')
      if (own === '' || !hasFrom) continue
      const narrowed = `${url}?from=2026-01-01T00:00:00Z&cursor=${own}`
      expect(complaints(operation.name, await refusal(narrowed, init), 'query.cursor')).toEqual([])
    }
    const theirs = { headers: world.headers['other owner'] }
    const got = await refusal(`${at.url}/v1/agents?cursor=${cursors.get('GET /v1/agents')}`, theirs)
    expect(complaints('another owner’s', got, 'query.cursor')).toEqual([])
  })
})

test('an Idempotency-Key that is none is refused, whatever the operation', async () => {
  for (const operation of OPERATIONS.filter(({ method }) => method !== 'GET'))
    for (const key of ['', ' ', 'a'.repeat(256), 'two words', '"open', 'é', '""']) {
      const { url, init } = world.request(operation)
      const headers = { ...init.headers, 'idempotency-key': key }
      const got = await refusal(url, { ...init, headers })
      expect(complaints(`${operation.name} ${key}`, got, 'header.Idempotency-Key')).toEqual([])
    }
})

test('of all that was refused nothing is left', async () => {
  expect(await world.stored()).toEqual(before)
})
