// Installs a copy of this checkout without the development packages, by the commands of deploy/Dockerfile and
// by `npm ci` for production; starts the service from it without the tools that built it, as the image, the
// systemd unit and `npm start` do; looks at its health and its dashboard, and stops it. Then installs what
// `npm pack` makes of each workspace in an empty folder and uses it. Exit code 1 when any of it fails.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './fresh.mjs'
import { listening } from './service.mjs'
import { image, unit } from './shipped.mjs'

const IMAGE = image()
const UNIT = unit()

/** The image and the unit have the checkout elsewhere; here nothing listens beyond loopback, on a free port. */
const HERE = { HOST: '127.0.0.1', PORT: '0' }
/** Without rights, like the user that the image and the unit name, which exists only there. */
const UNPRIVILEGED =
  process.getuid?.() === 0 ? { uid: numberOf('-u', 'nobody'), gid: numberOf('-g', 'nobody') } : {}

/** Each ends up in a Dockerfile, in a unit or on a hosting platform. */
const WAYS = [
  {
    name: 'deploy/Dockerfile',
    sources: IMAGE.sources,
    install(home) {
      for (const command of IMAGE.build) {
        // The packages were downloaded by the install of this checkout: npm takes them from its cache.
        const env = environment({ npm_config_prefer_offline: 'true' })
        execFileSync('sh', ['-c', command], { cwd: home, env, stdio: 'inherit' })
      }
    },
    starts: [
      {
        name: 'its ENTRYPOINT as another user than root',
        command: (home) => IMAGE.entrypoint.map((word) => word.replace('/app', home)),
        env: IMAGE.env,
        user: UNPRIVILEGED,
        health: IMAGE.healthcheck,
        signal: IMAGE.stopSignal,
      },
      {
        name: 'ExecStart of deploy/standing.service as another user than root',
        command: (home) =>
          UNIT.start.map((word) =>
            word === '/usr/bin/node' ? process.execPath : word.replace(UNIT.home, home),
          ),
        env: UNIT.env,
        user: UNPRIVILEGED,
      },
    ],
  },
  {
    name: 'NODE_ENV=production npm ci',
    install(home) {
      const env = environment({ NODE_ENV: 'production', npm_config_prefer_offline: 'true' })
      const args = ['ci', '--no-audit', '--no-fund']
      execFileSync('npm', args, { cwd: home, env, stdio: 'inherit' })
    },
    starts: [
      {
        name: 'npm start',
        command: () => ['npm', 'start'],
        env: { NODE_ENV: 'production' },
        user: {},
        use: usePackages,
      },
    ],
  },
]

const USE_PACKAGES = `
import { createRequire } from 'node:module'
import { startEmbedded } from '@standing/embedded-postgres'
import { Standing } from '@standing/sdk'
import pg from 'pg'

const baseUrl = process.argv[2]
const anyone = new Standing({ baseUrl })
const account = { email: 'packed@example.com', password: 'correct horse battery staple' }
const { token } = await anyone.auth.register(account)
const { Standing: Required } = createRequire(import.meta.url)('@standing/sdk')
const agent = await new Required({ baseUrl, token }).agents.register({ displayName: 'packed' })
const { score } = await anyone.score.get(agent.id)
const postgres = await startEmbedded({ dataDir: './data', name: 'shop' })
const pool = new pg.Pool(postgres.connection)
const { rows } = await pool.query('select 1 as one')
await pool.end()
await postgres.stop()
if (score !== 100 || rows[0].one !== 1) {
  throw new Error(\`the score is \${score}, and PostgreSQL answered \${JSON.stringify(rows)}\`)
}
`

for (const way of WAYS) {
  const home = mkdtempSync(join(tmpdir(), 'standing-install-'))
  const data = mkdtempSync(join(tmpdir(), 'standing-data-'))
  try {
    chmodSync(home, 0o755)
    copyTo(home, way.sources)
    way.install(home)
    removeBuildTools(home)
    for (const start of way.starts) {
      const own = join(data, String(way.starts.indexOf(start)))
      await startAndStop(start, home, own)
      console.log(`${way.name}: installs; ${start.name}: starts, is healthy and stops`)
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
    rmSync(data, { recursive: true, force: true })
  }
}

/** Every file of these paths that git tracks or would track: by default what a clone of the next commit holds. */
function copyTo(home, sources = ['']) {
  const isSource = (path) =>
    sources.some((one) => one === '' || path === one || path.startsWith(`${one}/`))
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  for (const path of listed.toString().split('\0')) {
    // A file that was deleted but not yet committed is still listed.
    if (path !== '' && isSource(path) && existsSync(join(root, path))) {
      cpSync(join(root, path), join(home, path))
    }
  }
}

/** The install has built everything: nothing that runs afterwards may need what it was built with. */
function removeBuildTools(home) {
  for (const name of ['esbuild', '@esbuild']) {
    rmSync(join(home, 'node_modules', name), { recursive: true })
  }
}

async function startAndStop({ name, command, env, user, health, signal, use }, home, data) {
  const own = environment({ ...env, ...HERE, STANDING_DATA_DIR: ownedBy(user, data) })
  const [program, ...args] = command(home)
  const child = spawn(program, args, {
    cwd: home,
    env: own,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...user,
  })
  const exited = once(child, 'exit')
  const url = await listening(child).catch((cause) => {
    throw new Error(name, { cause })
  })
  const { status } = await fetch(`${url}/readyz`)
  const page = await (await fetch(`${url}/`)).text()
  if (health) {
    const [test, ...its] = health
    execFileSync(test, its, { env: { ...own, PORT: new URL(url).port } })
  }
  use?.(url, home)
  child.kill(signal ?? 'SIGTERM')
  const [code] = await exited
  if (status !== 200 || code !== 0) {
    throw new Error(`${name}: /readyz answered ${status}; the service ended with ${code}`)
  }
  if (!page.includes('<script type="module" src="assets/')) {
    throw new Error(`${name}: / is not the dashboard:\n${page}`)
  }
}

/**
 * Installs the packages that are published, as `npm pack` makes them, in an empty folder, and uses them: the
 * SDK on the service, the embedded database by itself. The other workspaces are parts of the checkout.
 */
function usePackages(url, checkout) {
  const home = mkdtempSync(join(tmpdir(), 'standing-packages-'))
  try {
    const packages = ['@standing/sdk', '@standing/embedded-postgres']
    const pack = ['pack', '--pack-destination', home, ...packages.flatMap((name) => ['-w', name])]
    execFileSync('npm', pack, { cwd: root, env: environment({}), stdio: 'ignore' })
    const files = readdirSync(home).map((name) => `./${name}`)
    writeFileSync(join(home, 'package.json'), '{ "type": "module" }')
    const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...files]
    execFileSync('npm', install, { cwd: home, env: environment({}), stdio: 'inherit' })
    writeFileSync(join(home, 'use.js'), USE_PACKAGES)
    execFileSync('node', ['use.js', url], { cwd: home, env: environment({}), stdio: 'inherit' })
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const standing = ['scripts/standing.mjs', '--version']
    const answer = execFileSync('node', standing, { cwd: checkout, env: environment({}) })
    if (answer.toString().trim() !== version) {
      throw new Error(`standing --version answered ${answer}`)
    }
    console.log(`${packages.join(', ')}: packed, installed in an empty folder and used`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** An empty directory that only the user may enter, as the image and the unit make it. */
function ownedBy({ uid, gid }, data) {
  mkdirSync(data, { mode: 0o700 })
  if (uid !== undefined) {
    chmodSync(join(data, '..'), 0o755)
    chownSync(data, uid, gid)
  }
  return data
}

function numberOf(flag, user) {
  return Number(execFileSync('id', [flag, user]))
}

/** Without what npm and the settings of this shell add: the copy's own install decides. */
function environment(more) {
  const { PATH, HOME, npm_config_cache } = process.env
  return { PATH, HOME, ...(npm_config_cache ? { npm_config_cache } : {}), ...more }
}
