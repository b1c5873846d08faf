// Installs a copy of this checkout without the development packages, in both usual ways, starts the
// service from it without the tools that built it, looks for the dashboard, and stops it again. Exit code 1
// when any of it fails.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './bundle.mjs'

/** Ends up in a Dockerfile or on a hosting platform as one of these. */
const WAYS = [
  { name: 'npm ci --omit=dev', flags: ['--omit=dev'], env: {} },
  { name: 'NODE_ENV=production npm ci', flags: [], env: { NODE_ENV: 'production' } },
]

for (const way of WAYS) {
  const home = mkdtempSync(join(tmpdir(), 'standing-install-'))
  try {
    copyTo(home)
    install(home, way)
    removeBuildTools(home)
    await startAndStop(home, way.env)
    console.log(`${way.name}: installs, starts and stops`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Every file that git tracks or would track: what a clone of the next commit holds. */
function copyTo(home) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  for (const path of listed.toString().split('\0')) {
    // A file that was deleted but not yet committed is still listed.
    if (path !== '' && existsSync(join(root, path))) {
      cpSync(join(root, path), join(home, path))
    }
  }
}

function install(home, { flags, env }) {
  // The packages were downloaded by the install of this checkout: npm takes them from its cache.
  const args = ['ci', ...flags, '--prefer-offline', '--no-audit', '--no-fund']
  execFileSync('npm', args, { cwd: home, env: environment(env), stdio: 'inherit' })
}

/** The install has built everything: nothing that runs afterwards may need what it was built with. */
function removeBuildTools(home) {
  for (const name of ['esbuild', '@esbuild']) {
    rmSync(join(home, 'node_modules', name), { recursive: true })
  }
}

async function startAndStop(home, env) {
  const child = spawn('npm', ['start'], {
    cwd: home,
    env: environment({ ...env, PORT: '0', STANDING_DATA_DIR: join(home, 'data') }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const url = await Promise.race([listening(child), exited.then(() => undefined)])
  if (url === undefined) {
    throw new Error('the service ended before it listened')
  }
  const { status } = await fetch(`${url}/readyz`)
  const page = await (await fetch(`${url}/`)).text()
  child.kill('SIGTERM')
  const [code] = await exited
  if (status !== 200 || code !== 0) {
    throw new Error(`/readyz answered ${status}; the service ended with ${code}`)
  }
  if (!page.includes('<script type="module" src="assets/')) {
    throw new Error(`/ is not the dashboard:\n${page}`)
  }
}

/** The address in the service's log line of its start. npm's own lines are no JSON. */
async function listening(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = line.startsWith('{') ? JSON.parse(line) : {}
    if (entry.msg === 'listening') {
      return entry.url
    }
  }
}

/** Without what npm and the settings of this shell add: the copy's own install decides. */
function environment(more) {
  const { PATH, HOME, npm_config_cache } = process.env
  return { PATH, HOME, ...(npm_config_cache ? { npm_config_cache } : {}), ...more }
}
