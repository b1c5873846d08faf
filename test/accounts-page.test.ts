import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { OPERATOR_KEY, PASSWORD, startService } from './support/service.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
const page = readFileSync(join(ROOT, 'docs/accounts.md'), 'utf8')
const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block]) => (block ?? '').trimEnd().split('\n'))
  // They name another service, and its operator's key.
  .filter((line) => !/^export STANDING_(URL|OPERATOR_KEY)=/.test(line))
  .map((line) => line.replace('npx standing', `node ${join(ROOT, 'scripts/standing.mjs')}`))

const at = await startService()
const { token } = await at.anyone.auth.register({ email: 'ada@example.com', password: PASSWORD })
const folder = await mkdtemp(join(tmpdir(), 'standing-accounts-'))
afterAll(() => rm(folder, { recursive: true }))

test('every command of docs/accounts.md works as it is written', async () => {
  expect(commands.length).toBeGreaterThan(8)
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    STANDING_URL: at.url,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    STANDING_TOKEN: token,
  }
  const script = ['set -e', ...commands].join('\n')
  // Not spawnSync: the service that answers runs in this process.
  const { stdout: said, stderr } = await run('bash', ['-c', script], { cwd: folder, env })
  // Notes beside the answers; an error would be another line.
  for (const line of stderr.trimEnd().split('\n')) {
    expect(line).toMatch(/^The link works once, until |^The key is not shown again/)
  }
  expect(said).toContain(`${at.url}/invitation?token=`)
  expect(said).toContain(`${at.url}/reset-password?token=`)
  expect(said).toContain('billing server  (read, manage)  never used')
  expect(said).toMatch(/avw_[0-9A-Za-z]{38}/)
  expect(said).toContain('is now suspended')
  const lines = readFileSync(join(folder, 'agent.jsonl'), 'utf8').trimEnd().split('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    kind: 'agent',
    data: { displayName: 'invoice-reconciler' },
  })
})
