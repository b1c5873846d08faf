// npm run mcp:conformance: runs the official conformance scenarios of the Model Context Protocol against
// /mcp of a service of its own, for both revisions. Exit code 1 when one fails that
// test/mcp-conformance.yml does not list, or one passes that it lists.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './bundle.mjs'

const REVISIONS = ['2026-07-28', '2025-11-25']

/** The scenarios need Node 22, which npm brings for this one command. */
const PACKAGES = ['node@22.23.3', '@modelcontextprotocol/conformance@0.2.0-alpha.12']

const home = mkdtempSync(join(tmpdir(), 'standing-mcp-'))
const service = spawn(process.execPath, ['scripts/standing.mjs', 'serve'], {
  cwd: root,
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    STANDING_DATA_DIR: join(home, 'data'),
    STANDING_RATE_LIMITS: 'off',
    STANDING_SHUTDOWN_GRACE: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const url = await listening()
  const failed = REVISIONS.filter((revision) => !passes(url, revision))
  process.exitCode = failed.length === 0 ? 0 : 1
} finally {
  service.kill('SIGTERM')
  await once(service, 'exit')
  rmSync(home, { recursive: true, force: true })
}

async function listening() {
  for await (const line of createInterface({ input: service.stdout })) {
    if (line.includes('"msg":"listening"')) {
      return JSON.parse(line).url
    }
  }
  throw new Error('the service did not start')
}

function passes(url, revision) {
  const { status } = spawnSync(
    'npx',
    [
      '--yes',
      ...PACKAGES.flatMap((name) => ['-p', name]),
      'conformance',
      'server',
      ...['--url', `${url}/mcp`, '--requirements', revision],
      ...['--expected-failures', join(root, 'test/mcp-conformance.yml')],
      ...['--output-dir', join(home, revision)],
    ],
    { cwd: home, stdio: 'inherit' },
  )
  return status === 0
}
