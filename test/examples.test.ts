import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signed } from './support/forge.ts'
import { newDirectory } from './support/once.ts'
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

test.each([
  ['verify-credential.mjs', ['README.md', 'package.json'], /^invalid: .+\n$/],
  ['verify-credential.mjs', ['nowhere.jwt', 'nowhere.json'], /^invalid: .*nowhere.jwt.*\n$/],
  ['verify-attestation.mjs', ['README.md', 'package.json'], /^not trusted: .+\n$/],
  ['verify-attestation.mjs', ['package.json', 'package.json', 'high'], /^LEAST_SCORE is a number/],
  ['gate-on-score.ts', ['an-agent', '1,000'], /^Usage: .*\n$/],
])('%s says in a line what is wrong with %j', async (name, args, problem) => {
  const { stderr, ...rest } = await example(name, args)
  expect(stderr).toMatch(problem)
  expect(rest).toMatchObject({ code: expect.any(Number) })
})

test('verify-credential.mjs does not trust a status list that is too short for the credential', async () => {
  const folder = await newDirectory('short-list-')
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const issuer = 'did:web:issuer.example'
  const publicKeyJwk = publicKey.export({ format: 'jwk' })
  const did = JSON.stringify({ id: issuer, verificationMethod: [{ id: 'key', publicKeyJwk }] })
  const header = { alg: 'EdDSA', typ: 'vc+jwt', kid: 'key' }
  const tokenOf = (claims: object) =>
    signed(header, JSON.stringify({ issuer, nbf: 0, ...claims }), privateKey)
  const bits = gzipSync(Buffer.alloc(16)).toString('base64url')
  const list = tokenOf({ id: 'list', credentialSubject: { encodedList: `u${bits}` } })
  const said = async (statusListIndex: string) => {
    const status = { statusListIndex, statusListCredential: 'list', statusPurpose: 'revocation' }
    const credential = tokenOf({ credentialStatus: [status], credentialSubject: { id: 'a' } })
    const paths = ['credential.jwt', 'did.json', 'list.jwt'].map((name) => join(folder, name))
    const texts = [credential, did, list]
    await Promise.all(paths.map((path, i) => writeFile(path, texts[i] ?? '')))
    const { stdout, stderr } = { stdout: '', ...(await example('verify-credential.mjs', paths)) }
    return stdout + stderr
  }
  expect(await said('127')).toMatch(/^valid, /)
  expect(await said('128')).toBe('invalid: an index that the list does not have\n')
})
