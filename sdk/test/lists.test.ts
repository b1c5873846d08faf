import { describe, expect, it } from 'vitest'
import { refusal, serve } from './server.ts'

const PAGES: Readonly<Record<string, object>> = {
  '/v1/agents?limit=2': { data: [{ id: '1' }, { id: '2' }], nextCursor: 'b' },
  '/v1/agents?limit=2&cursor=b': { data: [{ id: '3' }, { id: '4' }], nextCursor: 'c' },
  '/v1/agents?limit=2&cursor=c': { data: [{ id: '5' }], nextCursor: null },
}
const pages = () => serve(({ url }) => ({ status: 200, body: PAGES[url] }))

async function idsOf(items: AsyncIterable<{ readonly id: string }>): Promise<string> {
  let ids = ''
  for await (const { id } of items) ids += id
  return ids
}

describe('a list', () => {
  it('awaited is one page, with where the next begins', async () => {
    const bench = await pages()
    const page = await bench.client().agents.list({ limit: 2 })
    expect(page).toEqual({ data: [{ id: '1' }, { id: '2' }], nextCursor: 'b' })
    expect(JSON.parse(JSON.stringify(page))).toEqual(page)
    expect(bench.received).toHaveLength(1)
  })

  it('iterated is every item of every page, filters kept', async () => {
    const bench = await pages()
    expect(await idsOf(bench.client().agents.list({ limit: 2 }))).toBe('12345')
    expect(bench.received).toHaveLength(3)
  })

  it('goes on from an awaited page, and from a cursor', async () => {
    const bench = await pages()
    expect(await idsOf(await bench.client().agents.list({ limit: 2 }))).toBe('12345')
    expect(await idsOf(bench.client().agents.list({ limit: 2, cursor: 'b' }))).toBe('345')
  })

  it('fetches no page that is not asked for', async () => {
    const bench = await pages()
    for await (const _ of bench.client().agents.list({ limit: 2 })) break
    expect(bench.received).toHaveLength(1)
  })

  it('fails where its first or a later page does', async () => {
    const broken = { status: 400, body: refusal('VALIDATION_ERROR') }
    const never = await serve(() => broken)
    await expect(idsOf(never.client().agents.list())).rejects.toMatchObject({ status: 400 })
    const bench = await serve((_request, n) =>
      n === 0 ? { status: 200, body: { data: [], nextCursor: 'b' } } : broken,
    )
    await expect(idsOf(bench.client().agents.list())).rejects.toMatchObject({ status: 400 })
  })
})

describe('a batch of scores', () => {
  it('over a hundred takes several requests, each agent asked for once', async () => {
    const ids = Array.from({ length: 205 }, (_, n) => `a${n}`)
    const bench = await serve(({ body }) => {
      const { agentIds } = body as { agentIds: readonly string[] }
      const [last] = agentIds.slice(-1)
      const data = agentIds.slice(0, -1).map((agentId) => ({ agentId }))
      return { status: 200, body: { data, notFound: [last] } }
    })
    const answer = await bench.client().score.getBatch([...ids, 'a0'])
    expect(bench.received).toHaveLength(3)
    expect(answer.notFound).toEqual(['a99', 'a199', 'a204'])
    expect(answer.data.map((score) => score.agentId)).toEqual(
      ids.filter((id) => !answer.notFound.includes(id)),
    )
  })
})
