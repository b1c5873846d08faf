import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newAgent, newPlatform, startService } from './support/service.ts'

const at = await startService()
const run = promisify(execFile)

/** As the example itself says that it is run: nothing built before, nothing installed. */
async function example(name: string, args: readonly string[], env: Record<string, string> = {}) {
  const way = name.endsWith('.mjs') ? [] : ['scripts/run.mjs']
  const all = [...way, `examples/${name}`, ...args]
  const options = { env: { PATH: process.env.PATH, STANDING_URL: at.url, ...env } }
  return run(process.execPath, all, options).catch(
    (error: { code: number; stderr: string }) => error,
  )
}

test('the examples report on an agent and admit it by its score', async () => {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const reported = await example('report-events.ts', [agent.id], { PLATFORM_KEY: platform.apiKey })
  expect(reported).toMatchObject({ stdout: expect.stringContaining('3 accepted, 0 rejected') })
  expect(await example('gate-on-score.ts', [agent.id, '5'])).toMatchObject({
    stdout: expect.stringContaining(': admitted'),
  })
  expect(await example('gate-on-score.ts', [agent.id, '5000'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('not admitted'),
  })
})

test('the example of a buffer reports each line it reads, and names the refused lines', async () => {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const child = spawn(process.execPath, ['scripts/run.mjs', 'examples/buffer-events.ts'], {
    env: { PATH: process.env.PATH, STANDING_URL: at.url, PLATFORM_KEY: platform.apiKey },
  })
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  child.stdin.end(`${agent.id} task.completed\n${agent.id} task.failed\n${agent.id} task.begun\n`)
  const [out, problems] = await printed
  expect(out).toBe('2 accepted, 1 rejected\n')
  expect(problems).toMatch(new RegExp(`^task.begun of ${agent.id}: events.2.type`))
})

test('the example of a receiver accepts signed notifications and refuses others', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const child = spawn(process.execPath, ['scripts/run.mjs', 'examples/verify-webhook.ts'], {
    env: { PATH: process.env.PATH, PORT: '0', WEBHOOK_SECRET: secret },
  })
  const exited = once(child, 'exit')
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const url = /http:\S+/.exec((await lines.next()).value)?.[0] ?? ''
    const data = { agentId: 'a', previousScore: 500, newScore: 512 }
    const body = JSON.stringify({ id: 'evt_1', type: 'score.changed', data })
    const now = new Date()
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
    }
    expect((await fetch(url, { method: 'POST', body: `${body} `, headers })).status).toBe(400)
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(204)
    expect((await lines.next()).value).toBe('a went from 500 to 512')
  } finally {
    child.kill()
    await exited
  }
})

test.each([
  'report-events.ts',
  'buffer-events.ts',
  'gate-on-score.ts',
  'verify-webhook.ts',
  'verify-credential.mjs',
])('%s without arguments prints its usage, and no stack', async (name) => {
  expect(await example(name, [])).toMatchObject({ stderr: expect.stringMatching(/^Usage: .*\n$/) })
})
