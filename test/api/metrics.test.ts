import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService()

async function metrics(): Promise<string> {
  return (await fetch(`${at.url}/metrics`)).text()
}

/** The value of the line that begins so. */
async function numberAt(series: string): Promise<number> {
  const line = (await metrics()).split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
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
  expect(await numberAt(series)).toBe(before + 1)
  expect(await numberAt('standing_request_seconds_count{operation="getScore"}')).toBe(before + 1)
})

test('events are counted, and the transactions that stored them', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const data = { success: true }
  await client.events.report(agent.id, [
    { type: 'task.completed', data },
    { type: 'task.failed', data },
  ])
  expect(await numberAt('standing_events_total{outcome="counted"}')).toBe(1)
  expect(await numberAt('standing_events_total{outcome="quarantined"}')).toBe(1)
  expect(await numberAt('standing_ingest_batch_events_sum')).toBe(2)
  expect(await numberAt('standing_ingest_batch_seconds_count')).toBe(1)
  expect(await numberAt('standing_db_connections')).toBeGreaterThan(0)
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
  expect(await numberAt('standing_webhook_attempt_seconds_count')).toBe(2)
})

test('nothing that a caller chooses becomes a label', async () => {
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
