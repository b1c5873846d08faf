import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { Standing } from '@standing/sdk'
import { expect, onTestFinished, test } from 'vitest'

/** The demo in a process of its own, and the directory in which it makes its own. */
async function startDemo() {
  const tmp = await mkdtemp(join(tmpdir(), 'standing-demo-test-'))
  const demo = spawn(process.execPath, ['scripts/standing.mjs', 'demo', '--port=0', '--json'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: tmp,
      // Settings of a real service, which the demo must not read.
      STANDING_DATA_DIR: '/nonexistent/real-data',
      DATABASE_URL: 'postgres://127.0.0.1:9/real',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(demo, 'exit')
  onTestFinished(async () => {
    demo.kill('SIGINT')
    await exited
    await rm(tmp, { recursive: true })
  })
  return { tmp, demo, exited }
}

/** A database is made and a year of events imported: slow on a busy machine. */
const A_YEAR_MS = 120_000

test(
  'the demo shows agents of every kind, in a directory of its own that it deletes',
  async () => {
    const { tmp, demo, exited } = await startDemo()
    const [line] = (await once(createInterface({ input: demo.stdout }), 'line')) as [string]
    const { url, owner, operatorKey, agents, credentialId } = JSON.parse(line)
    const anyone = new Standing({ baseUrl: url })
    const scoreOf = (name: string) => anyone.score.get(agents[name])
    expect((await scoreOf('Atlas Invoicing')).classification).toBe('excellent')
    expect((await scoreOf('Drift Translator')).classification).toBe('untrusted')
    expect((await scoreOf('Juniper Legal')).disputed.isDisputed).toBe(true)
    expect((await scoreOf('Fern Onboarding')).confidence).toBe('low')
    expect((await scoreOf('Mirror One')).score).toBeLessThan(300)
    expect((await anyone.credentials.verify(credentialId)).valid).toBe(true)
    const { token } = await anyone.auth.login(owner)
    expect((await anyone.with({ token }).agents.list()).data.length).toBeGreaterThan(3)
    const operator = new Standing({ baseUrl: url, operatorKey })
    expect((await operator.operator.reviews()).data.length).toBeGreaterThan(2)
    expect((await fetch(`${url}/agents`)).status).toBe(200)
    demo.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    expect(await readdir(tmp)).toEqual([])
  },
  A_YEAR_MS,
)

test.each(['starting the service', 'importing a year of events'])(
  'signals while the demo says “%s” end it, and its data is deleted',
  async (step) => {
    const { tmp, demo, exited } = await startDemo()
    const result = text(demo.stdout)
    for await (const line of createInterface({ input: demo.stderr })) {
      if (line.startsWith(step) || line.startsWith('ending the demo')) {
        demo.kill('SIGINT')
      }
    }
    expect(await exited).toEqual([0, null])
    // It was not filled first.
    expect(await result).toBe('')
    expect(await readdir(tmp)).toEqual([])
  },
  A_YEAR_MS,
)
