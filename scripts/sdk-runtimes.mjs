// npm run test:runtimes [-- --allow-missing]: installs the SDK from its package outside the checkout, and runs
// its main paths (sdk/test/main-paths.mjs) against a service under each runtime. npm brings the runtimes, each
// for its one command. Exit code 1 when one fails or, without --allow-missing, when npm cannot bring one.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './fresh.mjs'
import { startService } from './service.mjs'

const DENO_RIGHTS = ['run', '--quiet', '--allow-net', '--allow-env']

/** The package of npm that brings a runtime, and how that runs a file. */
const RUNTIMES = [
  { package: 'node@18.20.8', command: ['node'] },
  { package: 'node@20.19.5', command: ['node'] },
  { package: 'node@22.23.3', command: ['node'] },
  { package: 'bun@1.4.5', command: ['bun', 'run'] },
  { package: 'deno@2.9.6', command: ['deno', ...DENO_RIGHTS] },
]

const mayMiss = process.argv.includes('--allow-missing')
const OPERATOR_KEY = `avo_${'0'.repeat(32)}`
/** A runtime that waits for something that does not come is ended. */
const RUN_MS = 60_000
const SCRIPT = 'main-paths.mjs'
/** A task, a payment, the credential, and the three that the buffer sends when the program ends. */
const EVENTS = 6

const home = mkdtempSync(join(tmpdir(), 'standing-runtimes-'))
try {
  install()
  const settings = { STANDING_OPERATOR_KEY: OPERATOR_KEY }
  const service = await startService(join(home, 'data'), settings)
  try {
    const results = []
    for (const runtime of RUNTIMES) {
      results.push(await tryRuntime(runtime, service.url))
    }
    const wrong = results.filter((one) => one === 'failed' || (one === 'missing' && !mayMiss))
    process.exitCode = wrong.length === 0 ? 0 : 1
  } finally {
    await service.end()
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}

/** As a project of somebody else has it. */
function install() {
  run(process.execPath, ['sdk/build.mjs'], root)
  run('npm', ['pack', '--workspace', 'sdk', '--pack-destination', home], root)
  writeFileSync(join(home, 'package.json'), '{"type":"module"}')
  const { version } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'))
  const file = `./standing-sdk-${version}.tgz`
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], home)
  copyFileSync(join(root, 'sdk/test', SCRIPT), join(home, SCRIPT))
}

async function tryRuntime({ package: name, command }, url) {
  const npx = (...args) => spawnSync('npx', ['--yes', '-p', name, ...args], options())
  const version = npx(command[0], '--version')
  if (version.status !== 0) {
    console.log(`${name}: NOT RUN, npm cannot bring it: ${lastLine(version.stderr)}`)
    return 'missing'
  }
  const { status, stdout, stderr } = npx(...command, SCRIPT, url, OPERATOR_KEY)
  const agentId = stdout.trim().split('\n').at(-1)
  const events = status === 0 ? await eventsOf(url, agentId) : 0
  if (events === EVENTS) {
    console.log(`${name}: every path works`)
    return 'works'
  }
  console.log(`${name}: FAILED (exit code ${status}, ${events} of ${EVENTS} events)\n${stderr}`)
  return 'failed'
}

async function eventsOf(url, agentId) {
  const response = await fetch(`${url}/v1/agents/${agentId}/score`)
  return (await response.json()).eventCount ?? 0
}

function options() {
  const { PATH, HOME, npm_config_cache } = process.env
  const env = { PATH, HOME, ...(npm_config_cache ? { npm_config_cache } : {}) }
  return { cwd: home, env, encoding: 'utf8', timeout: RUN_MS }
}

function lastLine(text) {
  return text.trim().split('\n').at(-1)
}

function run(program, args, cwd) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  }
  return stdout
}
