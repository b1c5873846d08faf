import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'
import { createDatabase } from './support/database.ts'
import { send } from './support/http.ts'
import { runService } from './support/process.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'standing-start-'))
afterAll(() => rm(dataDir, { recursive: true }))

/** What a start that fails says. */
async function complaint(env: Readonly<Record<string, string>>): Promise<string> {
  try {
    const service = await runService(env)
    await service.stop()
  } catch (error) {
    return String(error)
  }
  throw new Error('expected not to start')
}

test('with no settings it listens, prints a curl that works and, until it is used, a set-up link', async () => {
  const service = await runService({ STANDING_DATA_DIR: dataDir })
  const said = service.lines.join('\n')
  expect(said).toContain(`Standing listens on ${service.url}`)
  expect(said).toContain(`curl -s ${service.url}/v1/auth/register`)
  const link = /http\S+\/setup\?token=\S+/.exec(said)?.[0] ?? ''
  const page = await fetch(link)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const claim = (token: string | null) =>
    fetch(`${service.url}/setup`, {
      method: 'POST',
      body: new URLSearchParams({ token: token ?? '' }),
    })
  expect((await claim('guessed')).status).toBe(410)
  const token = new URL(link).searchParams.get('token')
  const answers = await Promise.all([claim(token), claim(token), claim(token)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410])
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  const key = /avo_[0-9A-Za-z]{38}/.exec(texts.join(''))?.[0] ?? ''
  const admitted = await send(`${service.url}/v1/operator/platforms`, {
    key,
    json: { name: 'First' },
  })
  expect(admitted.status).toBe(201)
  expect(await service.stop()).toBe(0)

  const again = await runService({ STANDING_DATA_DIR: dataDir })
  expect(again.lines.join('\n')).not.toContain('/setup?token=')
  const { body } = await send(`${again.url}/v1/operator/platforms`, { key })
  expect(body.data).toMatchObject([{ name: 'First' }])
  expect((await send(`${again.url}/healthz`)).status).toBe(200)
  expect((await send(`${again.url}/readyz`)).status).toBe(200)

  // Another start on the same data finds it held, says by whom, and harms nothing.
  expect(await complaint({ STANDING_DATA_DIR: dataDir })).toMatch(/Another Standing .* is running/)
  expect((await send(`${again.url}/readyz`)).status).toBe(200)
  expect(await again.stop()).toBe(0)
})

test('a port that is taken is named, with what to do', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const { url, drop } = await createDatabase()
  const said = await complaint({
    PORT: String(port),
    DATABASE_URL: url,
    STANDING_DATA_DIR: dataDir,
  })
  expect(said).toContain(`Port ${port} of 127.0.0.1 is taken. Set PORT`)
  await drop()
  await new Promise((resolve) => other.close(resolve))
})

test('a database set up with another secret is left alone', async () => {
  const { url, drop } = await createDatabase()
  const secret = (byte: number) => Buffer.alloc(32, byte).toString('base64')
  const one = await runService({ DATABASE_URL: url, STANDING_SECRET_KEY: secret(1) })
  await one.stop()
  expect(await complaint({ DATABASE_URL: url, STANDING_SECRET_KEY: secret(2) })).toContain(
    'STANDING_SECRET_KEY is not the one',
  )
  await drop()
})

test('a database that cannot be reached ends the start with its name', async () => {
  const said = await complaint({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(said).toMatch(/ECONNREFUSED/)
})

describe('a setting that cannot be used is named, with how it should read', () => {
  test.each([
    [{ PORT: '80a' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ STANDING_BASE_URL: 'example.com' }, 'STANDING_BASE_URL'],
    [{ STANDING_OPERATOR_KEY: 'avo_short' }, 'STANDING_OPERATOR_KEY'],
    [{ STANDING_SECRET_KEY: 'c2hvcnQ=' }, 'STANDING_SECRET_KEY'],
    [{ STANDING_EVENTS_PER_AGENT_HOUR: '-1' }, 'STANDING_EVENTS_PER_AGENT_HOUR'],
    [{ STANDING_RATE_LIMITS: 'maybe' }, 'STANDING_RATE_LIMITS'],
    [{ STANDING_WEBHOOK_ALLOW: '10.0.0.0/33' }, 'STANDING_WEBHOOK_ALLOW'],
    [{ STANDING_TRUST_PROXY: 'proxy' }, 'STANDING_TRUST_PROXY'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  ])('%j', (env, name) => {
    expect(() => readConfig(env)).toThrow(ConfigError)
    expect(() => readConfig(env)).toThrow(name)
  })

  test('an option that does not exist, or lacks its value', () => {
    expect(() => readConfig({}, ['--prot', '1'])).toThrow('--prot')
    expect(() => readConfig({}, ['--port'])).toThrow('needs a value')
    expect(readConfig({ PORT: '1' }, ['--port=2', '--host', '::1'])).toMatchObject({
      port: 2,
      host: '::1',
    })
  })
})
