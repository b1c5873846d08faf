import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { createDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { newDirectory } from '../support/once.ts'

const ROOT = join(import.meta.dirname, '..', '..')

/** The service in a process of its own, with a line of the log for each request. */
async function serviceWithOutput(stdout: 'pipe' | number) {
  const database = await createDatabase()
  const port = String(await freePort())
  const child = spawn(process.execPath, ['scripts/run.mjs', 'src/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: port,
      DATABASE_URL: database.url,
      STANDING_DATA_DIR: await newDirectory('log-'),
      STANDING_REQUEST_LOG: 'on',
      STANDING_RATE_LIMITS: 'off',
      STANDING_SHUTDOWN_GRACE: '0',
    },
    stdio: ['ignore', stdout, 'ignore'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill()
    const [code] = await exited
    return code as number | null
  }
  onTestFinished(async () => {
    await stop()
    await database.drop()
  })
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/v1/agents/none/score`)).status
  await eventually(async () => expect(await ask()).toBe(400))
  return { output: child.stdout, ask, stop }
}

const onLinux = test.runIf(process.platform === 'linux')

onLinux('on a full disk the log is lost, and the service serves and stops', async () => {
  const full = await open('/dev/full', 'a')
  onTestFinished(() => full.close())
  const { ask, stop } = await serviceWithOutput(full.fd)
  expect([await ask(), await ask()]).toEqual([400, 400])
  expect(await stop()).toBe(0)
})

test('a reader of the log that stops does not stop the service, and misses no line that waited', async () => {
  const { output, ask, stop } = await serviceWithOutput('pipe')
  // More than the pipe and the reader's own buffer hold.
  const asked = 1_000
  for (let request = 0; request < asked; request++) {
    expect(await ask()).toBe(400)
  }
  const requests: string[] = []
  const lines = createInterface({ input: output ?? process.stdin })
  lines.on('line', (line) => JSON.parse(line).msg === 'request' && requests.push(line))
  await eventually(() => expect(requests.length).toBeGreaterThan(asked))
  expect(await stop()).toBe(0)
})

test('a reader of the log that goes away does not end the service', async () => {
  const { output, ask, stop } = await serviceWithOutput('pipe')
  output?.destroy()
  expect([await ask(), await ask()]).toEqual([400, 400])
  expect(await stop()).toBe(0)
})

test('the log goes to the end of a file', async () => {
  const path = join(await newDirectory('log-'), 'log')
  await writeFile(path, 'earlier\n')
  const file = await open(path, 'a')
  onTestFinished(() => file.close())
  const { stop } = await serviceWithOutput(file.fd)
  expect(await stop()).toBe(0)
  const [earlier, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
  expect(earlier).toBe('earlier')
  const messages = lines.map((line) => JSON.parse(line).msg)
  expect(messages).toEqual(expect.arrayContaining(['listening', 'request', 'shutting down']))
})
