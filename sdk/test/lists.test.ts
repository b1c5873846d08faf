import { describe, expect, onTestFinished, it as test } from 'vitest'
import { Standing } from '../src/index.ts'
import { refusal, serve } from './server.ts'

const PAGES: Readonly<Record<string, object>> = {
  '/v1/agents?limit=2': { data: [{ id: '1' }, { id: '2' }], nextCursor: 'b' },
  '/v1/agents?limit=2&cursor=b': { data: [{ id: '3' }, { id: '4' }], nextCursor: 'c' },
  '/v1/agents?limit=2&cursor=c': { data: [{ id: '5' }], nextCursor: null },
}
const pages = () => serve(({ url }) => ({ status: 200, body: PAGES[url] }))

async function idsOf(items: AsyncIterable<{ readonly id: string }>): Promise<string> {
  let ids = ''
  for await (const { id } of items) {
    ids += id
  }
  return ids
}

describe('a list', () => {
  test('that is awaited is one page, with the cursor of the next', async () => {
    const server = await pages()
    const page = await server.client().agents.list({ limit: 2 })
    expect(page).toEqual({ data: [{ id: '1' }, { id: '2' }], nextCursor: 'b' })
    expect(JSON.parse(JSON.stringify(page))).toEqual(page)
    expect(server.received).toHaveLength(1)
  })

  test('that is iterated has every item of every page, with the same filters', async () => {
    const server = await pages()
    expect(await idsOf(server.client().agents.list({ limit: 2 }))).toBe('12345')
    expect(server.received).toHaveLength(3)
  })

  test('continues from an awaited page, and from a cursor', async () => {
    const server = await pages()
    expect(await idsOf(await server.client().agents.list({ limit: 2 }))).toBe('12345')
    expect(await idsOf(server.client().agents.list({ limit: 2, cursor: 'b' }))).toBe('345')
  })

  test('fetches only the pages that are used', async () => {
    const server = await pages()
    for await (const _ of server.client().agents.list({ limit: 2 })) {
      break
    }
    expect(server.received).toHaveLength(1)
  })

  test('throws where its first or a later page fails', async () => {
    const broken = { status: 400, body: refusal('VALIDATION_ERROR') }
    const never = await serve(() => broken)
    await expect(idsOf(never.client().agents.list())).rejects.toMatchObject({ status: 400 })
    const server = await serve((_request, n) =>
      n === 0 ? { status: 200, body: { data: [], nextCursor: 'b' } } : broken,
    )
    await expect(idsOf(server.client().agents.list())).rejects.toMatchObject({ status: 400 })
  })
})

describe('an answer that is no part of the list', () => {
  test.each([
    ['has no data', { nextCursor: null }],
    ['has no cursor', { data: [{ id: '1' }] }],
    ['names itself as the next page', { data: [{ id: '1' }], nextCursor: 'b' }],
  ])('ends the iteration with an error if it %s', async (_name, body) => {
    const server = await serve(() => ({ status: 200, body }))
    const all = idsOf(server.client().agents.list())
    await expect(all).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 })
    expect(server.received.length).toBeLessThan(3)
  })

  test('ends the export of the audit log with an error if it begins again', async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const body = '{"number":1}\n{"number":2}\n'
    const server = await serve(() => ({ status: 200, body, headers }))
    const numbers: number[] = []
    const read = async () => {
      for await (const entry of server.client().operator.exportAudit()) {
        numbers.push(entry.number)
      }
    }
    await expect(read()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' })
    expect(numbers).toEqual([1, 2])
  })
})

describe('a list that fails before it is awaited', () => {
  test('does not end the process, and throws where it is iterated', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const client = new Standing({ fetch: () => Promise.reject(new Error('away')), retriesMax: 0 })
    const list = client.agents.list()
    // Node reports an unhandled rejection before the next turn of its event loop.
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
    await expect(idsOf(list)).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  })
})

describe('a batch of scores', () => {
  test('is a map by agent id; more than a hundred ids take several requests, each id once', async () => {
    const ids = Array.from({ length: 205 }, (_, n) => `a${n}`)
    const server = await serve(({ body }) => {
      const { agentIds } = body as { agentIds: readonly string[] }
      const [last] = agentIds.slice(-1)
      const data = agentIds.slice(0, -1).map((agentId) => ({ agentId }))
      return { status: 200, body: { data, notFound: [last] } }
    })
    const scores = await server.client().score.getBatch([...ids, 'a0'])
    expect(server.received).toHaveLength(3)
    const missing = ['a99', 'a199', 'a204']
    expect([...scores.keys()]).toEqual(ids.filter((id) => !missing.includes(id)))
    expect(scores.get('a7')).toEqual({ agentId: 'a7' })
  })
})
