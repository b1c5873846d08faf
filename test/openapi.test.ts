import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { describe } from '../src/api/describe.ts'
import { PERMISSIONS_OF_ROLE, type Role } from '../src/domain/permission.ts'
import { someOf } from './support/cases.ts'
import { newDirectory } from './support/once.ts'

const run = promisify(execFile)

const described = describe()

test('openapi.json matches the routes', async () => {
  const committed = JSON.parse(await readFile('openapi.json', 'utf8'))
  expect(committed, 'write it again: npm run openapi').toEqual(
    JSON.parse(JSON.stringify(described)),
  )
})

test('no example is a placeholder', () => {
  expect([...placeholders(described)]).toEqual([])
})

test('the example of an account has a person with these permissions', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the place is fixed
  const { get } = (described as any).paths['/v1/auth/me']
  const { id, member, permissions } = get.responses[200].content['application/json'].example
  expect(permissions).toEqual(PERMISSIONS_OF_ROLE[member.role as Role])
  expect(member.isOwner).toBe(member.id === id)
})

test('every operation that accepts an API key also accepts it as a bearer token', () => {
  const { paths } = described as { paths: Record<string, Record<string, Secured>> }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const schemesOf = ({ security }: Secured) => security.flatMap((one) => Object.keys(one))
  const takingKeys = operations.filter((one) => schemesOf(one).some((name) => KEYS.has(name)))
  expect(takingKeys.length).toBeGreaterThan(30)
  for (const operation of takingKeys) {
    expect([operation.operationId, schemesOf(operation)]).toEqual([
      operation.operationId,
      expect.arrayContaining(['bearerKey']),
    ])
  }
})

const KEYS = new Set(['ownerKey', 'agentKey', 'platformKey', 'operatorKey'])

interface Secured {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
}

test('every write takes an Idempotency-Key, except those whose lines and spans have names of their own', () => {
  const { paths } = described as { paths: Record<string, Record<string, Written>> }
  const writes = Object.values(paths).flatMap(({ get: _, ...item }) => Object.values(item))
  const takesKey = ({ parameters = [], responses }: Written) => ({
    isTaken: parameters.some(({ name }) => name === 'Idempotency-Key'),
    isRefused: '422' in responses,
  })
  const without = writes.filter((one) => !takesKey(one).isTaken)
  expect(without.map(({ operationId }) => operationId)).toEqual(['exportTraces', 'importPast'])
  expect(without.filter((one) => takesKey(one).isRefused)).toEqual([])
})

interface Written {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: object
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> }
}

test('traces are documented in each form that the service takes', () => {
  const { paths } = described as { paths: Record<string, { post: Written }> }
  const { requestBody } = paths['/v1/otlp/v1/traces']?.post ?? {}
  expect(Object.keys(requestBody?.content ?? {}).sort()).toEqual([
    'application/json',
    'application/x-protobuf',
  ])
})

test('batches say how many events they may have', () => {
  const { components } = described as { components: { schemas: Record<string, Batch> } }
  const { EventBatch, CloudEventBatch } = components.schemas
  for (const events of [EventBatch?.properties?.events, CloudEventBatch]) {
    expect(events).toMatchObject({ minItems: 1, maxItems: 100 })
  }
})

interface Batch {
  readonly properties?: { readonly events: object }
}

test('exports as JSON lines are documented as text, not as one JSON value', () => {
  const { paths } = described as {
    paths: Record<string, { get?: { responses: Record<string, { content?: Media }> } }>
  }
  const exported = Object.entries(paths).flatMap(([path, { get }]) => {
    const media = get?.responses['200']?.content?.['application/x-ndjson']
    return media ? [[path, media.schema.type]] : []
  })
  expect(exported).toEqual([
    ['/v1/auth/export', 'string'],
    ['/v1/agents/{id}/export', 'string'],
    ['/v1/operator/owners/{id}/export', 'string'],
    ['/v1/agents/{id}/events/export', 'string'],
    ['/v1/operator/audit/export', 'string'],
  ])
})

type Media = Readonly<Record<string, { readonly schema: { readonly type?: string } }>>

/** Where an example says no more than what type it is. */
function* placeholders(value: unknown, path = '', isExample = false): Generator<string> {
  if (isExample && value === 'string') {
    yield path
  }
  if (typeof value !== 'object' || value === null) {
    return
  }
  for (const [key, one] of Object.entries(value)) {
    yield* placeholders(one, `${path}/${key}`, isExample || key.startsWith('example'))
  }
}

test('openapi.json is valid by the schema of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate('openapi.json')
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test('openapi.json passes the strict rules of another linter, its examples included', async () => {
  const file = join(await newDirectory('openapi-'), 'openapi.json')
  await writeFile(file, withSomeExamples(await readFile('openapi.json', 'utf8')))
  const args = ['lint', file, '--config=redocly.yaml', '--format=json']
  const { stdout } = await run('node_modules/.bin/redocly', args)
  expect(JSON.parse(stdout).problems).toEqual([])
})

/** For each example the linter compiles a schema, which is most of its work. */
function withSomeExamples(document: string): string {
  const places = [...document.matchAll(/"example":/g)].map((_, place) => place)
  const tried = new Set(someOf(places))
  expect(tried.size).toBeGreaterThan(100)
  let place = 0
  return JSON.stringify(JSON.parse(document), (key, value) =>
    key === 'example' && !tried.has(place++) ? undefined : value,
  )
}
