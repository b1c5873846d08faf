import { expect, test } from 'vitest'
import { describe as describeApi } from '../../src/api/describe.ts'
import { RULES } from '../../src/fraud/rules.ts'
import { send } from '../support/http.ts'
import { OPERATOR_KEY, startService } from '../support/service.ts'

/** Lists of what is few have the pages of every other list. */

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { operator } = at.operator

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly nextCursor: string | null
}

async function pageOf(path: string, query: Readonly<Record<string, string>> = {}): Promise<Page> {
  const { status, body } = await send(`${at.url}${path}?${new URLSearchParams(query)}`, {
    key: OPERATOR_KEY,
  })
  expect(status).toBe(200)
  return body
}

let number = 0

/** Each list, what names a row of it, and how it gets another row. Keys are listed by purpose. */
test.each([
  {
    path: '/v1/operator/operators',
    by: 'name',
    add: () => operator.createOperator(`person-${++number}`),
  },
  { path: '/v1/operator/keys', by: 'kid', add: () => operator.rotateSigningKey('receipts') },
])('$path is read in pages, newest first, each row once whatever is added', async (list) => {
  const namesOf = ({ data }: Page) => data.map((row) => row[list.by])
  for (let i = 0; i < 4; i++) {
    await list.add()
  }
  const whole = await pageOf(list.path)
  expect(whole.nextCursor).toBeNull()
  expect(whole.data.length).toBeGreaterThan(4)
  const purposes = [...new Set(whole.data.map(({ purpose }) => purpose))]
  const groups = purposes.map((one) => whole.data.filter(({ purpose }) => purpose === one))
  for (const group of groups) {
    const times = group.map(({ createdAt }) => String(createdAt))
    expect(times).toEqual([...times].sort().reverse())
  }
  expect(groups.flat()).toEqual(whole.data)

  const read: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await pageOf(list.path, { limit: '2', ...(cursor && { cursor }) })
    expect(page.data.length).toBeLessThanOrEqual(2)
    read.push(...namesOf(page))
    cursor = page.nextCursor
    await list.add()
  }
  expect(read).toEqual(namesOf(whole))
})

test('the rules are read in pages, in one order', async () => {
  const path = '/v1/operator/rules'
  const ids = RULES.map(({ id }) => id)
  const whole = await pageOf(path)
  expect(whole).toMatchObject({ data: ids.map((id) => ({ id })), nextCursor: null })
  const first = await pageOf(path, { limit: '3' })
  const rest = await pageOf(path, { cursor: first.nextCursor ?? '' })
  expect([...first.data, ...rest.data]).toEqual(whole.data)
  expect([first.data.length, rest.nextCursor]).toEqual([3, null])
})

test('the SDK reads every page of a list that it returns whole', async () => {
  for (let i = 0; i < 60; i++) {
    await operator.createOperator(`many-${i}`)
    await operator.revokeOperator(`many-${i}`)
  }
  expect((await pageOf('/v1/operator/operators')).data).toHaveLength(50)
  const names = (await operator.operators()).map(({ name }) => name)
  const many = names.filter((name) => name.startsWith('many-'))
  expect(new Set(many).size).toBe(60)
  expect(names.length).toBe(new Set(names).size)
})

test('every list takes a limit and a cursor, except tables of fixed length', () => {
  const { paths, components } = describeApi() as unknown as Document
  const listed = Object.values(paths).flatMap(({ get }) => {
    const schema = get?.responses[200]?.content?.['application/json']?.schema
    const { properties = {} } = components.schemas[schema?.$ref?.split('/').at(-1) ?? ''] ?? {}
    const names = (get?.parameters ?? []).map(({ name }) => name)
    const isPaged =
      'nextCursor' in properties && names.includes('limit') && names.includes('cursor')
    return get && properties.data?.type === 'array' ? [{ name: get.operationId, isPaged }] : []
  })
  expect(listed.filter(({ isPaged }) => isPaged).length).toBeGreaterThan(20)
  expect(listed.flatMap(({ name, isPaged }) => (isPaged ? [] : [name])).sort()).toEqual([
    'getCalibration',
    'getClassifications',
    'getResistance',
    'getScoreSeries',
  ])
})

interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: Get }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly properties?: Properties }>>
  }
}

type Properties = Readonly<Record<string, { readonly type?: string }>>

interface Get {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string }[]
  readonly responses: {
    readonly 200?: { readonly content?: Readonly<Record<string, { schema: { $ref?: string } }>> }
  }
}
