import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { importFile } from '../../cli/src/import/import-file.ts'
import { benchRecorder } from '../../lab/bench/recorder.ts'
import { createLineReader, linesOf } from '../../src/api/imports/lines.ts'
import { spooled } from '../../src/api/imports/spool.ts'
import { TrustError } from '../../src/domain/error.ts'
import { importPast } from '../../src/imports/import-past.ts'
import type { PastLine } from '../../src/imports/past-reports.ts'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { readCluster } from '../../src/store/postgres/cluster.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { commandIn } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const at = await startService()
const DAY = 86_400_000
const pool = createPool({ url: at.database.url }, { max: 2 })
const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
const folder = await mkdtemp(join(tmpdir(), 'standing-imports-'))
afterAll(() => Promise.all([pool.end(), rm(folder, { recursive: true })]))

/** A door to the service that breaks connections off while it is shut. */
async function doorTo(url: string) {
  const door = { isShut: true, url: '' }
  const server = createServer((socket) => {
    if (door.isShut) {
      socket.destroy()
      return
    }
    const service = connect(Number(new URL(url).port), '127.0.0.1')
    socket.pipe(service).pipe(socket)
    socket.on('error', () => service.destroy())
    service.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  door.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return door
}

interface Summary {
  readonly imported: number
  readonly alreadyImported: number
  readonly quarantined: number
  readonly refused: number
  readonly lines: number
  readonly errors: readonly {
    readonly line: number
    readonly code: string
    readonly message: string
  }[]
  readonly agents: readonly { readonly agentId: string; readonly score: number }[]
}

async function send(
  lines: readonly object[] | string,
  query: Record<string, string> = {},
  url = at.url,
) {
  const body =
    typeof lines === 'string' ? lines : lines.map((line) => JSON.stringify(line)).join('\n')
  const response = await fetch(
    `${url}/v1/operator/imports?${new URLSearchParams({ name: 'past', ...query })}`,
    {
      method: 'POST',
      headers: { 'x-api-key': OPERATOR_KEY, 'content-type': 'application/x-ndjson' },
      body,
    },
  )
  return { status: response.status, summary: (await response.json()) as Summary }
}

/** Half a year of good work and payments, twice a day each, that ended some days ago. */
function halfAYear(agent: string, by: string, endedDaysAgo: number): readonly object[] {
  const start = Date.now() - (180 + endedDaysAgo) * DAY
  return Array.from({ length: 180 * 4 }, (_, i) => ({
    at: new Date(start + (i * DAY) / 4).toISOString(),
    agent,
    by,
    type: i % 2 === 0 ? 'task.completed' : 'payment.completed',
    externalId: `order-${i}`,
    ...(i % 2 === 0 ? {} : { data: { amount: 20 + i, currency: 'EUR' } }),
  }))
}

/** Every score that the agent had, the oldest first, and when. */
async function scoresOf(agentId: string) {
  const { rows } = await store.snapshots.list({ agentId }, null, 1_000)
  return rows.map(({ score, createdAt, eventCount }) => [score, createdAt, eventCount]).reverse()
}

/** The platforms that are established by their record. */
async function provenPlatforms(url: string) {
  const own = createPool({ url }, { max: 1 })
  try {
    return await own.query('select platform_id from reporters where is_proven order by platform_id')
  } finally {
    await own.end()
  }
}

async function agentAndPlatform() {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at, { verified: true })
  return { agent, platform }
}

describe('importing the past of a platform', () => {
  test('gives an agent the score it would have after a history here, and marks each event', async () => {
    const { agent, platform } = await agentAndPlatform()
    const { summary } = await send(halfAYear(agent.id, platform.id, 1))
    expect(summary).toMatchObject({ lines: 720, imported: 720, refused: 0, errors: [] })
    const score = await at.anyone.score.get(agent.id)
    expect(score.classification).toBe('good')
    expect(summary.agents).toEqual([{ agentId: agent.id, score: score.score }])
    const event = (await store.events.list({ agentId: agent.id }, null, 1)).rows[0]
    expect(event?.importedAt).toBeGreaterThan(event?.createdAt ?? Infinity)
    const { receipt } = await at.anyone.score.getReceipt(agent.id)
    const exported = (await at.operator.events.export(agent.id)).trimEnd().split('\n')
    expect(await verifyProof({ receipt, lines: exported, keys: null })).toMatchObject({
      problem: null,
      receipt: { events: 720, imported: 720 },
    })
    const history = await at.anyone.score.getHistory(agent.id)
    expect(Date.parse(history.data.at(-1)?.createdAt ?? '')).toBeLessThan(Date.now() - 100 * DAY)
  })

  test('that is sent again is imported once, and the log still verifies', async () => {
    const { agent, platform } = await agentAndPlatform()
    const lines = halfAYear(agent.id, platform.id, 2).slice(0, 300)
    await send(lines.slice(0, 250))
    const before = await at.anyone.score.get(agent.id)
    const { summary } = await send(lines)
    expect(summary).toMatchObject({ imported: 50, alreadyImported: 250, refused: 0 })
    expect((await at.anyone.score.get(agent.id)).eventCount).toBe(before.eventCount + 50)
    expect(await checkAgent(store, agent.id)).toMatchObject({ events: 300, difference: null })
  })

  test('identifies events without external ids by its name and line numbers', async () => {
    const { agent, platform } = await agentAndPlatform()
    const line = { at: '2026-01-05T10:00:00Z', type: 'task.completed' }
    const query = { name: 'unnamed', agent: agent.id, by: platform.id }
    expect((await send([line, line], query)).summary).toMatchObject({ imported: 2 })
    expect((await send([line, line, line], query)).summary).toMatchObject({
      imported: 1,
      alreadyImported: 2,
    })
    const later = await send([line], { ...query, firstLine: '3' })
    expect(later.summary).toMatchObject({ imported: 0, alreadyImported: 1 })
  })

  test('under the name of another one is refused line by line, and none of it is taken for imported', async () => {
    const { agent, platform } = await agentAndPlatform()
    const query = { name: 'past', agent: agent.id, by: platform.id }
    const month = (number: number) =>
      [3, 4].map((day) => ({ at: `2026-0${number}-0${day}T10:00:00Z`, type: 'task.completed' }))
    expect((await send(month(1), query)).summary).toMatchObject({ imported: 2 })
    const message = expect.stringContaining('under another name')
    expect((await send(month(2), query)).summary).toMatchObject({
      alreadyImported: 0,
      refused: 2,
      errors: [
        { line: 1, code: 'CONFLICT', message },
        { line: 2, code: 'CONFLICT', message },
      ],
    })
    expect((await send(month(2), { ...query, name: 'february' })).summary.imported).toBe(2)
  })

  test('as a dry run returns the result, and writes nothing', async () => {
    const { agent, platform } = await agentAndPlatform()
    const lines = halfAYear(agent.id, platform.id, 1)
    const dry = await send(lines, { dryRun: 'true' })
    expect(dry.summary).toMatchObject({ imported: 720 })
    expect(await at.anyone.score.get(agent.id)).toMatchObject({ score: 100, eventCount: 0 })
    const wet = await send(lines)
    expect(wet.summary.agents).toEqual(dry.summary.agents)
  })

  test('as a dry run counts the platforms of one owner as one established platform', async () => {
    // A service without a verified platform: new platforms are provisional until two others are established.
    const fresh = await startService({ STANDING_RATE_LIMITS: 'off' })
    const { owner } = await newOwner(fresh)
    const unverified = async (ownerId?: string) => {
      const input = { verified: false, ...(ownerId === undefined ? {} : { ownerId }) }
      return (await newPlatform(fresh, input)).platform.id
    }
    const ofOneOwner = [await unverified(owner.id), await unverified(owner.id)]
    const other = await unverified()
    const late = await unverified()
    const agents: string[] = []
    for (let i = 0; i < 5; i++) {
      agents.push((await newAgent(fresh)).agent.id)
    }
    const start = Date.now() - 90 * DAY
    const line = (day: number, by: string, agent: string, type = 'task.completed') => ({
      at: new Date(start + day * DAY).toISOString(),
      ...{ agent, by, type },
    })
    const lines = [
      // What the others are compared with, by a platform of too few days to be established itself.
      ...[0, 1, 2].flatMap((day) =>
        agents.flatMap((agent) => Array.from({ length: 10 }, () => line(day, other, agent))),
      ),
      ...Array.from({ length: 62 }, (_, i) =>
        ofOneOwner.flatMap((by) => agents.map((agent) => line(i + 3, by, agent))),
      ).flat(),
      ...agents.flatMap((agent) =>
        Array.from({ length: 10 }, () => line(70, late, agent, 'task.failed')),
      ),
    ]
    const dry = await send(lines, { dryRun: 'true' }, fresh.url)
    expect(dry.summary).toMatchObject({ imported: lines.length, refused: 0 })
    const wet = await send(lines, {}, fresh.url)
    const { rows } = await provenPlatforms(fresh.database.url)
    expect(rows).toEqual([{ platform_id: ofOneOwner[0] }, { platform_id: ofOneOwner[1] }])
    expect(wet.summary.agents).toEqual(dry.summary.agents)
  })

  test('names each line that is not imported, and imports the others', async () => {
    const { agent, platform } = await agentAndPlatform()
    const good = {
      at: '2026-02-01T00:00:00Z',
      agent: agent.id,
      by: platform.id,
      type: 'task.failed',
    }
    const { status, summary } = await send(
      [
        JSON.stringify(good),
        '{ not json',
        JSON.stringify({ ...good, type: 'task.exploded' }),
        JSON.stringify({ ...good, agent: '00000000-0000-7000-8000-000000000000' }),
        JSON.stringify({ ...good, by: '00000000-0000-7000-8000-000000000000' }),
        JSON.stringify({ ...good, at: '2099-01-01T00:00:00Z' }),
        JSON.stringify({ ...good, at: '2025-01-01T00:00:00Z' }),
        '',
        JSON.stringify({ ...good, at: '2026-02-02T00:00:00Z' }),
      ].join('\n'),
    )
    expect(status).toBe(200)
    expect(summary).toMatchObject({ lines: 8, imported: 2, refused: 6 })
    expect(summary.errors.map(({ line, code }) => [line, code])).toEqual([
      [2, 'VALIDATION_ERROR'],
      [3, 'VALIDATION_ERROR'],
      [4, 'NOT_FOUND'],
      [5, 'NOT_FOUND'],
      [6, 'VALIDATION_ERROR'],
      [7, 'CONFLICT'],
    ])
    expect(summary.errors[0]?.message).toBe(
      'the line is not valid JSON: at column 3, it must have a name in double quotes, or "}"',
    )
  })

  test('names every problem of a line, of its form or of what cannot be stored', async () => {
    const line = '"at":"2026-02-01T10:00:00Z","type":"task.failed"'
    const { summary } = await send(
      [
        `{${line},"data":{"errorCode":"a\\u0000","errorType":"\\ud800","duration":1e400}}`,
        `{${line},"a\\u0000":1,"externalId":"\\udc00"}`,
        `{${line},"agent":"a1","data":{"duration":-1},"extra":1}`,
      ].join('\n'),
    )
    expect(summary.errors.map(({ message }) => message)).toEqual([
      'data.errorCode: contains a NUL character; data.errorType: contains a lone surrogate; ' +
        'data.duration: is beyond what a double can hold',
      'the line contains a NUL character; externalId: contains a lone surrogate',
      'agent: must be a UUID; by: is required; data.duration: must be at least 0; ' +
        'extra: is not a field of this object',
    ])
  })

  test('refuses times that a report at the time of the line could not have, in a dry run too', async () => {
    const { agent, platform } = await agentAndPlatform()
    const line = (second: number, occurredAt?: string) => ({
      at: `2026-02-01T10:00:0${second}Z`,
      type: 'task.completed',
      ...(occurredAt === undefined ? {} : { occurredAt }),
    })
    const query = { name: 'times', agent: agent.id, by: platform.id }
    const lines = [
      { ...line(0), at: '1969-12-31T23:59:59.999Z' },
      line(0, '2026-01-02T10:00:00Z'),
      line(0, '2026-01-02T09:59:59.999Z'),
      line(1, '2026-02-01T10:05:01Z'),
      line(1, '2026-02-01T10:05:01.001Z'),
      line(2),
      { ...line(3), at: '2099-01-01T00:00:00Z' },
    ]
    const advice = 'leave it out if the event happened at the time that at names'
    const window = `occurredAt: must lie at most 30 days before at and 5 minutes after it; ${advice}`
    const errors = [
      [1, 'at: must not be before 1970; write when the event happened'],
      [3, window],
      [5, window],
      [7, 'at: must not lie in the future; write when the event happened'],
    ]
    for (const dryRun of ['true', 'false']) {
      const { summary } = await send(lines, { ...query, dryRun })
      expect(summary).toMatchObject({ imported: 3, refused: 4 })
      expect(summary.errors.map((error) => [error.line, error.message])).toEqual(errors)
      expect(new Set(summary.errors.map(({ code }) => code))).toEqual(new Set(['VALIDATION_ERROR']))
    }
  })

  test('takes older times of events where the service takes them of reports', async () => {
    const patient = await startService({ STANDING_OCCURRED_AT_DAYS: '400' })
    const { agent } = await newAgent(patient)
    const { platform } = await newPlatform(patient, { verified: true })
    const line = { at: '2026-02-01T10:00:00Z', type: 'task.completed' }
    const { summary } = await send(
      [
        { ...line, occurredAt: '2025-01-01T00:00:00Z' },
        { ...line, occurredAt: '2024-01-01T00:00:00Z' },
      ],
      { agent: agent.id, by: platform.id },
      patient.url,
    )
    expect(summary).toMatchObject({ imported: 1, refused: 1 })
    expect(summary.errors[0]?.message).toContain('at most 400 days before at')
  })

  test('gives the same histories, however its lines are divided into requests', async () => {
    const start = Date.now() - 200 * DAY
    async function copy(taskClass: string) {
      const pairs = [await agentAndPlatform(), await agentAndPlatform(), await agentAndPlatform()]
      const agents = pairs.map(({ agent }) => agent.id)
      const by = pairs.map(({ platform }) => platform.id)
      const lines = Array.from({ length: 600 }, (_, i) => ({
        at: new Date(start + i * 3_600_000).toISOString(),
        agent: agents[Math.floor(i / 2) % 3],
        by: by[i % 3],
        type: i % 7 === 3 ? 'task.failed' : 'task.completed',
        data: { taskClass, duration: 1_000 + i },
        externalId: `${taskClass}-${i}`,
      }))
      return { agents, lines }
    }
    const whole = await copy('whole')
    const parts = await copy('parts')
    expect((await send(whole.lines)).summary).toMatchObject({ imported: 600 })
    for (let i = 0; i < 600; i += 40) {
      const { summary } = await send(parts.lines.slice(i, i + 40))
      expect(summary).toMatchObject({ imported: 40 })
    }
    for (const [i, agentId] of whole.agents.entries()) {
      expect(await scoresOf(agentId)).toEqual(await scoresOf(parts.agents[i] ?? ''))
      expect(await checkAgent(store, agentId)).toMatchObject({ difference: null })
    }
  })

  test('lets its platform report on other agents meanwhile, and loses nothing', async () => {
    const { agent: other } = await newAgent(at)
    const { agent } = await newAgent(at)
    const { client, platform } = await newPlatform(at, { verified: true })
    const past = send(halfAYear(agent.id, platform.id, 1))
    const reported: unknown[] = []
    for (let i = 0; i < 40; i++) {
      reported.push(await client.events.submit(other.id, { type: 'task.completed' }))
    }
    expect((await past).summary).toMatchObject({ imported: 720, refused: 0 })
    expect(reported).toHaveLength(40)
    expect(await checkAgent(store, agent.id)).toMatchObject({ events: 720, difference: null })
    expect(await checkAgent(store, other.id)).toMatchObject({ events: 40, difference: null })
    // A cluster writes the statistics of platforms a tenth of a second later.
    await eventually(async () => {
      const counted = (await store.reporters.findMany([platform.id])).get(platform.id)
      expect(counted).toMatchObject({ events: 760 })
    })
  })

  test('is refused for an agent that was reported on since', async () => {
    const { agent } = await newAgent(at)
    const { client, platform } = await newPlatform(at)
    await client.events.submit(agent.id, { type: 'task.completed' })
    const { summary } = await send(halfAYear(agent.id, platform.id, 1).slice(0, 1))
    expect(summary).toMatchObject({ imported: 0, refused: 1 })
    expect(summary.errors[0]).toMatchObject({ code: 'CONFLICT' })
  })

  test('is reserved to the operator, and is recorded in the audit log', async () => {
    const { agent, platform } = await agentAndPlatform()
    const response = await fetch(`${at.url}/v1/operator/imports?name=x`, {
      method: 'POST',
      headers: { 'x-api-key': platform.apiKey, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ at: '2026-01-01T00:00:00Z', agent: agent.id, by: platform.id }),
    })
    expect(response.status).toBe(403)
    await send(halfAYear(agent.id, platform.id, 1).slice(0, 3), { name: 'audited' })
    const entries = (await at.operator.operator.audit()).data
    expect(
      entries.filter(({ target }) => target?.id === 'audited').map(({ action }) => action),
    ).toEqual(['import.completed', 'import.started'])
  })

  test('is refused if it is compressed', async () => {
    const { agent, platform } = await agentAndPlatform()
    const response = await fetch(`${at.url}/v1/operator/imports?name=compressed`, {
      method: 'POST',
      headers: {
        'x-api-key': OPERATOR_KEY,
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
      },
      body: gzipSync(JSON.stringify(halfAYear(agent.id, platform.id, 1)[0])),
    })
    expect(response.status).toBe(415)
  })

  test('with the command gives the shipped example a plausible score', async () => {
    const { agent, platform } = await agentAndPlatform()
    const args = ['examples/past.jsonl', '--agent', agent.id, '--by', platform.id]
    const typed = commandIn({ STANDING_URL: at.url, STANDING_OPERATOR_KEY: OPERATOR_KEY })
    const said = [
      await typed(['import', ...args, '--dry-run']),
      await typed(['event', 'import', ...args]),
    ]
    const { score, classification } = await at.anyone.score.get(agent.id)
    expect(classification).toBe('good')
    for (const { code, out } of said) {
      expect(code).toBe(0)
      expect(out).toMatch(new RegExp(`${agent.id}  ${score}$`, 'm'))
    }
  })

  test('continues after the service was unavailable, and counts nothing twice', async () => {
    const { agent, platform } = await agentAndPlatform()
    const file = join(folder, 'broken-off.jsonl')
    const lines = halfAYear(agent.id, platform.id, 1).map((line) => JSON.stringify(line))
    await writeFile(file, lines.slice(0, 300).join('\n'))
    const door = await doorTo(at.url)
    const said: string[] = []
    const waited: number[] = []
    const wait = async (ms: number) => {
      waited.push(ms)
      door.isShut = waited.length < 3
    }
    const settings = { file, operatorKey: OPERATOR_KEY, isDryRun: false, url: door.url }
    const terminal = { env: {}, stderr: { write: (text: string) => said.push(text) } }
    const first = await importFile(settings, terminal, { wait })
    expect(first).toMatchObject({ imported: 300, alreadyImported: 0, refused: 0 })
    expect(waited).toEqual([1_000, 2_000, 5_000])
    expect(said[0]).toContain('the same lines are sent again in 1 s')
    await writeFile(file, lines.join('\n'))
    const again = await importFile(settings, terminal, { wait })
    expect(again).toMatchObject({ imported: 420, alreadyImported: 300, refused: 0 })
  })

  test('sends a part again after a connection that brings no response, and then says so', async () => {
    const file = join(folder, 'half-open.jsonl')
    await writeFile(file, JSON.stringify({ at: '2026-02-01T00:00:00Z', type: 'task.completed' }))
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const settings = { file, operatorKey: OPERATOR_KEY, isDryRun: false, url }
    const said: string[] = []
    const terminal = { env: {}, stderr: { write: (text: string) => said.push(text) } }
    const wait = async () => undefined
    const lost = importFile(settings, terminal, { wait, partMs: 20 })
    await expect(lost).rejects.toThrow(`cannot reach ${url}: `)
    expect(said).toHaveLength(8)
    expect(said[0]).toContain('the same lines are sent again in 1 s')
  })

  test('counts lines by line feeds alone, as the command does', async () => {
    const { agent, platform } = await agentAndPlatform()
    const line = (text: string) => {
      const data = { taskClass: text }
      return JSON.stringify({ at: '2026-02-01T00:00:00Z', type: 'task.completed', data })
    }
    const query = { agent: agent.id, by: platform.id, name: 'separators' }
    const { summary } = await send(`${line('a\u2028b')}\r\n${line('c')}\r{`, query)
    expect(summary).toMatchObject({ lines: 2, imported: 1, refused: 1 })
    expect(summary.errors).toMatchObject([{ line: 2, code: 'VALIDATION_ERROR' }])
  })

  test('reads at most three batches ahead, and lists at most a hundred errors', async () => {
    const { agent, platform } = await agentAndPlatform()
    const start = Date.now() - 300 * DAY
    let imported = 0
    let aheadMax = 0
    async function* lines(): AsyncGenerator<PastLine> {
      for (let line = 1; line <= 2_500; line++) {
        aheadMax = Math.max(aheadMax, line - imported)
        const event = { type: 'task.completed', data: { duration: line } } as const
        const at = start + line * 60_000
        yield { line, content: { at, agentId: agent.id, platformId: platform.id, event } }
      }
      for (let line = 2_501; line <= 2_700; line++) {
        yield { line, content: new TrustError('VALIDATION_ERROR', 'the line is not JSON') }
      }
    }
    const recorder = benchRecorder(Date.now)
    const onEventsImported = (count: number) => {
      imported += count
    }
    const options = { name: 'ahead', isDryRun: false }
    const result = await importPast({ store, recorder, onEventsImported }, lines(), options)
    expect(result).toMatchObject({ lines: 2_700, imported: 2_500, refused: 200 })
    expect(result.errors).toHaveLength(100)
    expect(aheadMax).toBeLessThanOrEqual(1_500)
  })

  test('has no file in the temporary directory that a killed service could leave there', async () => {
    const { agent, platform } = await agentAndPlatform()
    const temporary = await mkdtemp(join(folder, 'temporary-'))
    vi.stubEnv('TMPDIR', temporary)
    onTestFinished(() => void vi.unstubAllEnvs())
    const seen: string[] = []
    const look = async () => void seen.push(...(await readdir(temporary)))
    async function* body() {
      for (const line of halfAYear(agent.id, platform.id, 1)) {
        yield Buffer.from(`${JSON.stringify(line)}\n`)
      }
      await look()
    }
    const read = createLineReader({ occurredAtDays: 30 }, (text) => text)
    const result = await spooled(body(), (text) => {
      async function* lines() {
        for await (const line of linesOf(text, 1, read)) {
          if (line.line % 300 === 0) {
            await look()
          }
          yield line
        }
      }
      const deps = { store, recorder: benchRecorder(Date.now), onEventsImported: () => undefined }
      return importPast(deps, lines(), { name: 'unnamed-file', isDryRun: true })
    })
    expect(result).toMatchObject({ lines: 720, imported: 720 })
    expect(seen).toEqual([])
  })

  test('accepts more than the usual maximum of a request body', async () => {
    const { agent, platform } = await agentAndPlatform()
    const start = Date.now() - 300 * DAY
    const lines = Array.from({ length: 3_000 }, (_, i) => ({
      at: new Date(start + i * 3_600_000).toISOString(),
      agent: agent.id,
      by: platform.id,
      type: 'task.completed',
      data: { duration: 1_000 + i },
      externalId: `long-${i}`,
    }))
    expect((await send(lines)).summary).toMatchObject({ imported: 3_000, refused: 0 })
  })
})
