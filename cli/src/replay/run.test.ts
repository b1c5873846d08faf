import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventInput, PlatformInput } from '@standing/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Answer, type Received, refusal, serve } from '../../../sdk/test/server.ts'
import { parseArguments } from '../../../src/lib/arguments.ts'
import { REPLAY_OPTIONS } from '../table/replay.ts'
import { describeResult } from './describe-result.ts'
import { replayOptions } from './options.ts'
import { replayFile } from './run.ts'

const silent = { write: () => undefined }

/** As much of a service as a replay needs: it stores events and scores agents by their share of good ones. */
function createService(intercept: (n: number) => Answer | undefined = () => undefined) {
  const createdAt = new Date().toISOString()
  const owners = new Map<string, object>()
  const agents = new Map<string, { id: string; displayName: string; metadata: object }>()
  const platforms = new Map<string, string>()
  const events = new Map<string, { id: string; by: string; agentId: string; event: EventInput }>()
  const ok = (body: object, status = 200): Answer => ({ status, body })

  function batch(request: Received, agentId: string): Answer {
    const { events: inputs } = request.body as { events: readonly EventInput[] }
    expect(inputs.length).toBeLessThanOrEqual(100)
    const by = String(request.headers['x-api-key'])
    const data = inputs.map((event) => {
      const name = `${by} ${event.externalId}`
      const known = events.get(name) ?? { id: `e${events.size}`, by, agentId, event }
      expect(known).toEqual({ ...known, agentId, event })
      events.set(name, known)
      return { id: known.id, isQuarantined: event.type === 'task.timeout' }
    })
    return ok({ accepted: data.length, rejected: 0, errors: [], data })
  }

  function score(agentId: string): object {
    const own = [...events.values()].filter((known) => known.agentId === agentId)
    const good = own.filter(({ event }) => event.type === 'task.completed').length
    const share = Math.round((1000 * good) / own.length)
    return { agentId, score: share, classification: 'fair', confidence: 'low' }
  }

  function answer(request: Received, n: number): Answer {
    const early = intercept(n)
    if (early) {
      return early
    }
    const { method, url, body } = request
    const [, , noun = '', id = ''] = url.split('/')
    const route = `${method} ${url.replace(/\?.*/, '')}`
    const input = body as { email: string; agentIds: readonly string[] } & PlatformInput
    switch (route) {
      case 'POST /v1/auth/register': {
        if (owners.has(input.email)) {
          return ok(refusal('CONFLICT'), 409)
        }
        owners.set(input.email, { id: 'o', createdAt })
        return ok({ owner: owners.get(input.email), token: 't' }, 201)
      }
      case 'POST /v1/auth/login':
        return ok({ owner: owners.get(input.email), token: 't' })
      case 'PATCH /v1/operator/owners/o':
        return ok({ id: 'o' })
      case 'POST /v1/operator/platforms':
        platforms.set(input.name, `avp_${input.name.replaceAll(' ', '_')}`)
        return ok({ apiKey: platforms.get(input.name) }, 201)
      case 'GET /v1/agents':
        return ok({ data: [...agents.values()], nextCursor: null })
      case 'POST /v1/agents': {
        const agent = {
          id: `a${agents.size}`,
          ...(body as { displayName: string; metadata: object }),
        }
        agents.set(agent.id, agent)
        return ok(agent, 201)
      }
      case 'POST /v1/scores/batch':
        return ok({ data: input.agentIds.map(score), notFound: [] })
    }
    expect([method, noun, url.endsWith('/events/batch')]).toEqual(['POST', 'agents', true])
    return batch(request, id)
  }
  return { answer, agents, platforms, events }
}

/** Three agents, 230 events each, two platforms; the first is good, the second half, the third bad. */
function streamText(): string {
  const lines = ['good', 'half', 'bad'].flatMap((agent, rank) =>
    Array.from({ length: 230 }, (_, t) => {
      const good = rank === 0 || (rank === 1 && t % 2 === 0) ? 1 : 0
      const type = good ? 'task.completed' : 'task.failed'
      return { agent, platform: t < 150 ? 'p' : 'q', t: t * 86_400, type, data: {}, good }
    }),
  )
  // Interleaved, so that an agent's events are not neighbours in the file.
  return lines
    .sort((a, b) => a.t - b.t)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

async function prepare(...args: string[]) {
  const home = await mkdtemp(join(tmpdir(), 'replay-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const file = join(home, 'stream.jsonl')
  await writeFile(file, streamText())
  const journal = join(home, 'journal')
  const all = [file, '--journal', journal, '--operator-key', 'avo_x', ...args]
  const terminal = { env: {}, say: () => {}, stderr: silent }
  const options = (url: string) => {
    const { words, options: given } = parseArguments([...all, '--url', url], REPLAY_OPTIONS)
    return replayOptions(words[0] ?? '', terminal, given, new Date())
  }
  return { options, journal, home }
}

describe('a replay', () => {
  test('reports every agent’s history in order and compares the score with its later events', async () => {
    const service = createService()
    const bench = await serve(service.answer)
    const { options, journal, home } = await prepare('--history', '200', '--output', 'x')
    const output = join(home, 'result.json')
    const result = await replayFile({ ...options(bench.baseUrl), output }, silent)

    expect(result).toMatchObject({ accepted: 600, rejected: 0, compared: 3 })
    expect(result.byScore.spearman).toBeCloseTo(1, 12)
    expect(result.byScore.auc).toBeGreaterThan(0.9)
    expect(result.agents.map(({ name, truth }) => [name, truth])).toEqual([
      ['good', { good: 30, total: 30 }],
      ['half', { good: 15, total: 30 }],
      ['bad', { good: 0, total: 30 }],
    ])
    expect(describeResult(result)).toContain('   2    500  fair            low')
    expect(JSON.parse(await readFile(output, 'utf8'))).toEqual(result)

    const sent = [...service.events.values()]
    for (const id of service.agents.keys()) {
      const own = sent.filter(({ agentId }) => agentId === id)
      const indexes = own.map(({ event }) => Number(event.externalId?.split(':')[2]))
      expect(indexes).toEqual([...Array(200).keys()])
      const times = own.map(({ event }) => event.occurredAt ?? '')
      expect(times).toEqual([...times].sort())
      expect(new Set(own.map(({ by }) => by)).size).toBe(2)
    }
    const lines = (await readFile(journal, 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual(sent.map(({ id }) => id).sort())
  })

  test('that is repeated under the same name counts no event twice', async () => {
    const service = createService()
    const bench = await serve(service.answer)
    const { options } = await prepare('--run', 'again', '--platforms', '1')
    const first = await replayFile({ ...options(bench.baseUrl), eventsMax: 300 }, silent)
    expect(first.accepted).toBe(300)
    await replayFile(options(bench.baseUrl), silent)
    await replayFile(options(bench.baseUrl), silent)
    expect(service.events.size).toBe(690)
    expect([...service.agents.values()].map(({ displayName }) => displayName).sort()).toEqual([
      'bad',
      'good',
      'half',
    ])
    expect(service.platforms.size).toBe(1)
  })

  test('loses and repeats no event when connections break', async () => {
    const service = createService((n) =>
      n % 5 === 3 ? (response) => response.destroy() : undefined,
    )
    const bench = await serve(service.answer)
    const { options } = await prepare('--concurrency', '1')
    const result = await replayFile(options(bench.baseUrl), silent)
    expect(result.accepted).toBe(690)
    expect(service.events.size).toBe(690)
  })

  test('reports nothing if its result or its journal cannot be written', async () => {
    const bench = await serve(createService().answer)
    for (const option of ['--output', '--journal']) {
      const { options } = await prepare(option, '/nowhere/at/all')
      const run = replayFile(options(bench.baseUrl), silent)
      await expect(run).rejects.toThrow(
        '/nowhere/at/all cannot be written: there is no such directory.',
      )
    }
    expect(bench.received).toEqual([])
  })

  test('stops at the hourly limit and names the settings that raise it', async () => {
    const body = refusal('RATE_LIMIT_EXCEEDED', 'enough', { limit: 'events_per_platform_hour' })
    const capped = { status: 429, body, headers: { 'retry-after': '3600' } }
    const service = createService((n) => (n === 8 ? capped : undefined))
    const bench = await serve(service.answer)
    const { options } = await prepare('--run', 'r')
    const run = replayFile(options(bench.baseUrl), silent)
    await expect(run).rejects.toThrow(
      /STANDING_EVENTS_PER_AGENT_HOUR(.|\n)*STANDING_RATE_LIMITS=off(.|\n)*--run r:/,
    )
  })
})
