import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request as send } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../src/lib/testing/free-port.ts'
import { httpReceiver } from '../src/outbound/testing/receiver.ts'
import { eventually } from './support/eventually.ts'
import { newPlatform, startService } from './support/service.ts'
import { newSigningAgent } from './support/web-bot-auth.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** nginx with the configuration of the example, but for the addresses, the key and the agent. */
async function startNginx(replace: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'standing-nginx-'))
  const port = await freePort()
  let text = await readFile('examples/gateways/nginx.conf', 'utf8')
  for (const [from, to] of Object.entries({ ...replace, '127.0.0.1:8088': `127.0.0.1:${port}` })) {
    expect(text).toContain(from)
    text = text.replaceAll(from, to)
  }
  const file = join(dir, 'nginx.conf')
  await writeFile(file, text)
  const child = spawn('nginx', ['-p', dir, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(async () => {
    await stop(child)
    await rm(dir, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  await eventually(() => send(`${url}/`).then(({ body }) => body.dump()))
  return url
}

function stop(child: ChildProcess): Promise<unknown> {
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  return exited
}

test('nginx admits signed requests of trusted agents, and no others', async ({ skip }) => {
  if (!isInstalled('nginx')) {
    skip('nginx is not installed: the configuration in examples/gateways is not tried')
  }
  const { agent, host, sign } = await newSigningAgent(at)
  const { platform, client } = await newPlatform(at)
  await client.policies.put('gate', { minScore: 50, unknown: 'deny' })
  const seen: IncomingMessage['headers'][] = []
  const service = await httpReceiver((request, response) => {
    seen.push(request.headers)
    response.end('served')
  })
  onTestFinished(service.close)
  const url = await startNginx({
    '127.0.0.1:8080': new URL(at.url).host,
    '127.0.0.1:8081': `127.0.0.1:${service.port}`,
    avp_replace_this_key: platform.apiKey,
    'did:web:bot.example.com': host.origin,
  })
  const get = async (headers: Readonly<Record<string, string>>, method = 'GET') => {
    const options = method === 'POST' ? { body: 'an order' } : {}
    const path = `${url}/orders?q=1`
    const answer = await send(path, { method: method as 'GET', headers, ...options })
    return { status: answer.statusCode, text: await answer.body.text(), headers: answer.headers }
  }
  const path = `${url}/orders?q=1`
  expect(await get(await sign(path))).toMatchObject({ status: 200, text: 'served' })
  expect(seen.at(-1)).toMatchObject({ 'x-standing-agent-id': agent.id, 'x-standing-score': '100' })
  expect(await get(await sign(path, { method: 'POST' }), 'POST')).toMatchObject({ status: 200 })
  expect(await get({ 'x-shop-secret': 's3cret-of-the-shop-bot' })).toMatchObject({ status: 200 })
  const served = seen.length
  for (const headers of [
    {},
    { 'x-agent-id': agent.id },
    { 'x-agent-identifier': host.origin },
    { 'x-forwarded-host': 'other.example.com', ...(await sign('http://other.example.com/orders')) },
  ]) {
    const refused = await get(headers as Readonly<Record<string, string>>)
    expect([refused.status, refused.headers['x-standing-reasons']]).toEqual([
      403,
      'signature-agent' in headers ? 'signature_invalid' : 'agent_unknown',
    ])
  }
  // What a client says about itself reaches neither Standing nor the service.
  expect(seen.length).toBe(served)
  await client.policies.put('gate', { minScore: 900, unknown: 'deny' })
  await eventually(async () => {
    expect((await get(await sign(path))).status).toBe(403)
  })
})
