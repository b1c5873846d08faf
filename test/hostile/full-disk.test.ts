import { expect, test } from 'vitest'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService()

/** More than any disk has free. */
const PETABYTE_MIB = '1000000000'

test('on a nearly full disk writes are refused in time, and reads continue', async () => {
  const { agent, owner } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const node = await at.node({ STANDING_DISK_FREE_MIN: PETABYTE_MIB })
  const report = await send(`${node.url}/v1/agents/${agent.id}/events`, {
    key: platform.apiKey,
    json: { type: 'task.completed' },
  })
  expect([report.status, report.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(report.body.error.details.reason).toBe('disk_full')
  expect(report.body.error.message).toContain('nothing was written')
  expect(report.headers.get('retry-after')).toBe('30')

  const reads = [
    await send(`${node.url}/v1/agents/${agent.id}/score`),
    await send(`${node.url}/v1/scores/batch`, { json: { agentIds: [agent.id] } }),
    await send(`${node.url}/v1/agents`, { key: owner.token }),
  ]
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])

  const ready = await send(`${node.url}/readyz`)
  expect([ready.status, ready.body]).toEqual([
    200,
    { status: 'degraded', reason: 'the disk is nearly full: writes are refused' },
  ])
  const metrics = await (await fetch(`${node.url}/metrics`)).text()
  expect(metrics).toMatch(/^standing_writes_refused 1$/m)
  expect(metrics).toMatch(/^standing_disk_free_bytes \d+$/m)

  const elsewhere = await send(`${at.url}/v1/agents/${agent.id}/events`, {
    key: platform.apiKey,
    json: { type: 'task.completed' },
  })
  expect(elsewhere.status).toBe(201)
})
