import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import { expect, test } from 'vitest'
import { commandIn } from './support/command.ts'
import { createDataDir } from './support/data-dir.ts'
import { newDirectory } from './support/once.ts'
import { runService } from './support/process.ts'
import { OPERATOR_KEY, PASSWORD } from './support/service.ts'

const ROOT = join(import.meta.dirname, '..')
const dataDir = join(await newDirectory('command-'), 'data')

/** What differs between commands is not how their process starts. */
const typed = commandIn({ STANDING_DATA_DIR: dataDir })

/** The command as a person types it, in a process of its own. */
function client(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ code: number; said: string }>((done) => {
    const settings = { PATH: process.env.PATH, HOME: process.env.HOME, STANDING_DATA_DIR: dataDir }
    const options = { cwd: ROOT, env: { ...settings, ...env } }
    execFile(join(ROOT, 'scripts/standing.mjs'), args, options, (error, stdout, stderr) => {
      done({
        code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
        said: stdout + stderr,
      })
    })
  })
}

test('a simulation whose output is read by a program answers in JSON lines, without being asked for them', async () => {
  const answers = await readFile(join(ROOT, 'examples/simulate.answers.jsonl'), 'utf8')
  expect(await client(['simulate', 'examples/simulate.jsonl'])).toEqual({ code: 0, said: answers })
})

test('the command works on the embedded database, both while the service runs and while it does not', async () => {
  expect((await typed('score replay --all')).said).toMatch(/There is no data/)
  expect(await typed('doctor --port 0')).toMatchObject({
    code: 0,
    said: expect.stringMatching(/note database +none yet/),
  })
  await createDataDir(dataDir)
  const service = await runService({
    STANDING_DATA_DIR: dataDir,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
  })
  const env = { STANDING_OPERATOR_KEY: OPERATOR_KEY, STANDING_BASE_URL: service.url }
  const created = await client(['platform', 'create', 'Market'], env)
  const apiKey = /avp_\w+/.exec(created.said)?.[0] ?? ''
  expect(await typed('signing-key rotate', env)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^credentials {2}active .*\nreceipts {5}active /),
  })
  const anyone = new Standing({ baseUrl: service.url })
  const { token } = await anyone.auth.register({ email: 'ada@example.com', password: PASSWORD })
  const agent = await anyone.with({ token }).agents.register({ displayName: 'agent' })
  await anyone
    .with({ apiKey })
    .events.report(agent.id, [{ type: 'task.completed' }, { type: 'task.failed' }])
  const proven = {
    code: 0,
    said: expect.stringMatching(/^1 agent, 2 events: everything stored/),
  }
  expect(await client(['score', 'replay', '--all'])).toMatchObject(proven)
  const { port } = new URL(service.url)
  expect(await typed(['doctor', '--port', port])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/Standing is running there/),
  })
  expect(await service.stop()).toBe(0)
  expect(await typed('score replay --all')).toMatchObject(proven)
  expect(await client(['serve', '--help'])).toMatchObject({
    code: 0,
    said: expect.stringMatching(/standing serve/),
  })
})

test.each([
  ['serve --nope', 'There is no option --nope.'],
  ['serve foo', 'Unexpected argument: foo. --help lists the options.'],
  ['serve --data-dir', '--data-dir needs a value: --data-dir DIR'],
  ['serve --port x', '--port must be a whole number from 0 to 65535, not "x".'],
])('%s is wrong usage, as of every other command', async (line, said) => {
  expect(await client(line.split(' '))).toEqual({ code: 2, said: `${said}\n` })
})

test('a result that cannot be written is an error in words; without a reader of messages the exit code stays', async () => {
  const shell = (line: string) =>
    new Promise<{ code: unknown; said: string }>((done) => {
      execFile('sh', ['-c', line], { cwd: ROOT }, (error, _out, said) =>
        done({ code: error?.code, said }),
      )
    })
  // The file is open for reading alone, so that no write to it succeeds.
  expect(await shell('scripts/standing.mjs --version 1<package.json')).toEqual({
    code: 1,
    said: expect.stringMatching(/^The result cannot be written: .+\n$/),
  })
  expect((await shell('scripts/standing.mjs score get 2<package.json')).code).toBe(2)
})
