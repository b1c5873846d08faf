// npm run mcp:conformance: runs the official conformance scenarios of the Model Context Protocol against
// /mcp of a service of its own, for both revisions. Exit code 1 when one fails that
// test/mcp-conformance.yml does not list, or one passes that it lists.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './fresh.mjs'
import { startService } from './service.mjs'

const REVISIONS = ['2026-07-28', '2025-11-25']

/** The scenarios need Node 22, which npm brings for this one command. */
const PACKAGES = ['node@22.23.3', '@modelcontextprotocol/conformance@0.2.0-alpha.12']

const home = mkdtempSync(join(tmpdir(), 'standing-mcp-'))
try {
  const service = await startService(join(home, 'data'))
  try {
    const failed = REVISIONS.filter((revision) => !passes(service.url, revision))
    process.exitCode = failed.length === 0 ? 0 : 1
  } finally {
    await service.end()
  }
} finally {
  rmSync(home, { recursive: true, force: true })
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
