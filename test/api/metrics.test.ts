import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newPlatform, PASSWORD, startService } from '../support/service.ts'

// With everything that has a metric of its own.
const at = await startService({ STANDING_SELF_CHECK: 'on', STANDING_DISK_FREE_MIN: '1' })

async function metrics(): Promise<string> {
  return (await fetch(`${at.url}/metrics`)).text()
}

/** The value of the line that begins so. */
async function numberAt(series: string): Promise<number> {
  const line = (await metrics()).split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

/** Metrics that are asked for often may be a second old, the more so the slower the machine is. */
function expectAt(series: string, value: number): Promise<void> {
  return eventually(async () => expect(await numberAt(series)).toBe(value))
}

test('metrics are Prometheus text', async () => {
  const answer = await fetch(`${at.url}/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await answer.text()).toMatch(/^# HELP \w+ /)
})

test('a request is counted under its operation and status', async () => {
  const { agent, client } = await newAgent(at)
  const series = 'standing_requests_total{operation="getScore",status="200"}'
  const before = await numberAt(series)
  await client.score.get(agent.id)
  await expectAt(series, before + 1)
  await expectAt('standing_request_seconds_count{operation="getScore"}', before + 1)
})

test('events are counted, and the transactions that stored them', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const data = { success: true }
  await client.events.report(agent.id, [
    { type: 'task.completed', data },
    { type: 'task.failed', data },
  ])
  await expectAt('standing_events_total{outcome="counted"}', 1)
  await expectAt('standing_events_total{outcome="quarantined"}', 1)
  await expectAt('standing_ingest_batch_events_sum', 2)
  await expectAt('standing_ingest_batch_seconds_count', 1)
  expect(await numberAt('standing_db_connections{pool="main"}')).toBeGreaterThan(0)
})

test('posts to receivers of webhooks are counted by outcome', async () => {
  const { owner } = await newAgent(at)
  const receiver = await startReceiver()
  const { id } = await owner.client.webhooks.create({ url: receiver.url, events: ['*'] })
  await owner.client.webhooks.test(id)
  await receiver.until(1)
  receiver.answer((response) => response.writeHead(410).end())
  await owner.client.webhooks.test(id)
  const attempts = (outcome: string) =>
    numberAt(`standing_webhook_attempts_total{outcome="${outcome}"}`)
  await eventually(async () => {
    expect(await attempts('delivered')).toBe(1)
    expect(await attempts('gone')).toBe(1)
  })
  await expectAt('standing_webhook_attempt_seconds_count', 2)
})

test('no value that a caller chooses becomes a label', async () => {
  const before = (await metrics()).split('\n').length
  for (let i = 0; i < 20; i++) {
    await fetch(`${at.url}/v1/made-up-${i}`)
    await fetch(`${at.url}/v1/agents/made-up-${i}/score?made=up-${i}`, {
      headers: { 'x-api-key': `avs_made-up-${i}` },
    })
  }
  const after = await metrics()
  expect(after).not.toMatch(/made-up/)
  // At most what an operation's first answer of a kind adds: a few statuses and two histograms.
  expect(after.split('\n').length - before).toBeLessThan(50)
})

const ROOT = join(import.meta.dirname, '../..')

/** The names and the labels of all samples, as `name{label="value",…}`. */
async function samples(): Promise<readonly string[]> {
  return (await metrics())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))
}

/** Every expression of the alert rules and of the dashboard that are shipped. */
function expressions(): readonly string[] {
  const read = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8')
  const { groups } = parse(read('prometheus/standing.rules.yml')) as {
    groups: { rules: { expr: string }[] }[]
  }
  const { panels } = JSON.parse(read('grafana/standing.json')) as {
    panels: { targets?: { expr: string }[] }[]
  }
  return [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
}

/** Whether a sample has this label with one of these values, `a|b`. */
function hasLabel(sample: string, label: string, values: string): boolean {
  return values.split('|').some((value) => sample.includes(`${label}="${value}"`))
}

test('the alert rules and the dashboard use only metrics and labels that the service has', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  await client.events.report(agent.id, { type: 'task.completed' })
  await client.score.get(agent.id)
  const own = new Standing({ baseUrl: at.url, apiKey: agent.apiKey, retriesMax: 0 })
  await own.events.submit(agent.id, { type: 'task.completed' })
  await client.events.submit(agent.id, { type: 'task.completed' })
  const found = await samples()
  const selectors = expressions().flatMap((expr) => [
    ...expr.matchAll(/\b((?:standing|process|nodejs)_\w+)(?:\{([^}]*)\})?/g),
  ])
  expect(selectors.length).toBeGreaterThan(80)
  for (const [selector, name = '', labels = ''] of selectors) {
    const matchers = [...labels.matchAll(/(\w+)=~?"([^"]*)"/g)].filter(
      ([, label]) => label !== 'job',
    )
    // An alert on failures is quiet as long as there is none.
    const wanted = matchers.filter(([, label, value]) => !(label === 'status' && value === '500'))
    const fits = found.some((sample) => {
      const isNamed = sample === name || sample.startsWith(`${name}{`)
      return isNamed && wanted.every(([, label = '', value = '']) => hasLabel(sample, label, value))
    })
    expect(fits, selector).toBe(true)
  }
})

test('names of metrics follow the conventions of Prometheus', async () => {
  const text = await metrics()
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  expect(types.length).toBeGreaterThan(60)
  for (const [, name = '', type] of types) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    expect(text).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'))
    // Base units alone, as `promtool check metrics` asks for.
    expect(name).not.toMatch(
      /(milli|micro|nano|kilo|mega|kibi|mebi)|_(ms|minutes|hours|days|percent)(_|$)/,
    )
  }
})

test('a refusal is counted by the limit that caused it, and a sign-in by its result', async () => {
  const email = 'metrics@example.com'
  await at.anyone.auth.register({ email, password: PASSWORD })
  await at.anyone.auth.login({ email, password: PASSWORD })
  await at.anyone.auth.login({ email, password: `${PASSWORD}?` }).catch(() => {})
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const events = Array.from({ length: 100 }, () => ({ type: 'task.completed' }) as const)
  await client.events.report(agent.id, events)
  const { rejected } = await client.events.report(agent.id, events.slice(0, 3))
  expect(rejected).toBe(3)
  await eventually(async () => {
    expect(await numberAt('standing_rate_limited_total{limit="events_per_agent_hour"}')).toBe(3)
    expect(await numberAt('standing_logins_total{outcome="succeeded"}')).toBe(1)
    expect(await numberAt('standing_logins_total{outcome="failed"}')).toBe(1)
  })
})

test('waiting work in the database is shown with its age', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  await client.events.report(agent.id, { type: 'task.failed', data: { success: true } })
  await eventually(async () => {
    expect(await numberAt('standing_backlog{queue="reviews"}')).toBeGreaterThan(0)
    expect(await numberAt('standing_backlog_oldest_age_seconds{queue="reviews"}')).toBeGreaterThan(
      0,
    )
    expect(await numberAt('standing_table_bytes{table="events"}')).toBeGreaterThan(0)
  })
})
