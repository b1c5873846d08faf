import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { image, unit } from '../scripts/shipped.mjs'
import { readConfig } from '../src/config.ts'
import { SETTINGS } from '../src/settings/table.ts'
import { rendered } from './support/helm.ts'
import { OPERATOR_KEY, startService } from './support/service.ts'

const run = promisify(execFile)
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const home = await mkdtemp(join(tmpdir(), 'standing-shipping-'))
afterAll(() => rm(home, { recursive: true, force: true }))

/** Names in the environment that the service does not read as settings of its own. */
const OTHERS = ['NODE_ENV', 'NODE_OPTIONS', 'TMPDIR']
const isSetting = (name: string) =>
  OTHERS.includes(name) || SETTINGS.some((setting) => setting.name === name)

/** As docs/operating.md says. */
const STOP_MAX_SECONDS = 10

const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'))

/** What the reader puts into `deploy/.env`. */
const DOT_ENV: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'a1b2c3',
  STANDING_SECRET_KEY: randomBytes(32).toString('base64'),
  STANDING_OPERATOR_KEY: OPERATOR_KEY,
  STANDING_BASE_URL: 'https://standing.example.com',
}

/** The environment of a service of the compose file, with the values of `deploy/.env`. */
function environmentOf(service: string): Readonly<Record<string, string>> {
  const text = JSON.stringify(compose.services[service].environment)
  return JSON.parse(
    text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => DOT_ENV[name] ?? ''),
  )
}

// As the compose file runs it, but for where the database is and under which address it is reached.
const { DATABASE_URL, STANDING_BASE_URL, ...settings } = environmentOf('standing')
const at = await startService({ NODE_ENV: 'production', ...settings })

describe('the image', () => {
  const { instructions, sources, env, user, entrypoint, healthcheck } = image()

  test('is built in two stages, and runs as a user that is not root', () => {
    expect(instructions.filter(({ name }) => name === 'FROM')).toHaveLength(2)
    expect(user.uid).toBeGreaterThan(0)
  })

  test('has nothing of what an operator keeps beside the sources', async () => {
    expect(sources.filter((path) => !existsSync(path))).toEqual([])
    const kept = [
      'deploy/.env',
      '.env',
      '.standing/secret.key',
      '.standing.restored/postgres/PG_VERSION',
      'restored/postgres/PG_VERSION',
      'master.key',
      'standing.backup',
      'standing-backup.tar.gz',
    ]
    const isCopied = (path: string) =>
      sources.some((one) => one === '.' || path === one || path.startsWith(`${one}/`))
    expect(kept.filter(isCopied)).toEqual([])
    // Nor does a commit take it along by mistake.
    const { stdout } = await run('git', ['check-ignore', '--no-index', ...kept])
    expect(stdout.trimEnd().split('\n')).toEqual(kept)
  })

  test('sets settings that exist, and starts a file that the build creates', () => {
    expect(Object.keys(env).filter((name) => !isSetting(name))).toEqual([])
    expect(existsSync(entrypoint.at(-1)?.replace('/app/', '') ?? '')).toBe(true)
  })

  test('checks its health by a command that succeeds only while the service is ready', async () => {
    const [program = '', ...args] = healthcheck
    const { port } = new URL(at.url)
    const check = (PORT: string) =>
      run(program, args, { env: { PATH: process.env.PATH, PORT } }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      )
    expect(await check(port)).toBe(0)
    expect(await check('1')).toBe(1)
  })
})

describe('the compose file', () => {
  const { services, volumes } = compose

  test('has only existing settings, no default secret, and no port beyond this machine', () => {
    const { environment, ports, depends_on } = services.standing
    expect(Object.keys(environment).filter((name) => !isSetting(name))).toEqual([])
    const secrets = [environment.STANDING_SECRET_KEY, environment.STANDING_OPERATOR_KEY]
    expect([...secrets, services.database.environment.POSTGRES_PASSWORD]).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\$\{\w+:\?/)]),
    )
    expect(ports).toEqual(['127.0.0.1:8080:8080'])
    expect(depends_on.database.condition).toBe('service_healthy')
    expect(services.database.ports).toBeUndefined()
    expect(services.standing.image).toBe(`standing:${version}`)
  })

  test('gives the service its secrets, and the database of the other container', async () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = environmentOf('database')
    const there = `${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`
    expect(DATABASE_URL).toBe(`postgres://${there}`)
    expect((await fetch(`${at.url}/readyz`)).status).toBe(200)
    expect((await at.operator.operator.listOwners()).data).toEqual([])
    const { baseUrl } = readConfig(environmentOf('standing'))
    expect(baseUrl).toBe(STANDING_BASE_URL)
  })

  test('passes the settings of deploy/.env on that it does not name itself', () => {
    expect(services.standing.env_file).toBe('.env')
  })

  test('keeps imports on a disk, and not in memory', () => {
    const { environment, tmpfs, volumes: mounts } = services.standing
    expect(tmpfs).not.toContain(environment.TMPDIR)
    expect(mounts).toContain(`standing:${environment.TMPDIR}`)
  })

  test('declares each volume that it mounts', () => {
    const mounted = Object.values(services as Record<string, { volumes: string[] }>).flatMap(
      (one) => one.volumes.map((volume) => volume.split(':')[0]),
    )
    expect(mounted.filter((name) => !(name && name in volumes))).toEqual([])
  })
})

describe('the chart', () => {
  const chart = 'deploy/helm/standing'
  const values = parse(readFileSync(`${chart}/values.yaml`, 'utf8'))
  const made = (name: string, more: object = {}) =>
    parse(rendered(`${chart}/templates/${name}.yaml`, { ...values, ...more }))

  test('has the version of the release', () => {
    const { version: own, appVersion } = parse(readFileSync(`${chart}/Chart.yaml`, 'utf8'))
    expect([own, appVersion, values.image.tag]).toEqual([version, version, version])
  })

  test('deploys nodes without root, with probes of the service’s own paths', () => {
    const settings = { STANDING_REGISTRATION: 'invite', STANDING_SHUTDOWN_GRACE: 5 }
    const { spec } = made('deployment', { settings }).spec.template
    const [container] = spec.containers
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 })
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true })
    expect(container.env).toContainEqual({ name: 'STANDING_SHUTDOWN_GRACE', value: '5' })
    const names = container.env.map(({ name }: { name: string }) => name)
    expect(names.filter((name: string) => !isSetting(name))).toEqual([])
    expect(container.livenessProbe.httpGet.path).toBe('/healthz')
    expect(container.readinessProbe.httpGet.path).toBe('/readyz')
    expect(container.resources).toEqual(values.resources)
  })

  test('routes the service to the deployment, and has an ingress only on request', () => {
    const labels = made('deployment').spec.template.metadata.labels
    expect(labels).toMatchObject(made('service').spec.selector)
    expect(labels).toMatchObject(made('disruption-budget').spec.selector.matchLabels)
    expect(made('ingress')).toBeNull()
    const ingress = { ...values.ingress, enabled: true }
    const { spec } = made('ingress', { ingress })
    expect(spec.rules[0].host).toBe('standing.example.com')
    // Kubernetes refuses an empty name; without one the cluster takes its default class.
    expect(spec).not.toHaveProperty('ingressClassName')
    const named = made('ingress', { ingress: { ...ingress, className: 'nginx' } })
    expect(named.spec.ingressClassName).toBe('nginx')
  })

  test('does not end a node that migrates a large database', () => {
    const [{ startupProbe }] = made('deployment').spec.template.spec.containers
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(3_600)
  })
})

test('the unit sets settings that exist', () => {
  expect(Object.keys(unit().env).filter((name) => !isSetting(name))).toEqual([])
})

test('each file gives the service longer to stop than it takes', () => {
  const seconds = (text: string, file: string) =>
    Number(new RegExp(`${text}(\\d+)`).exec(readFileSync(`deploy/${file}`, 'utf8'))?.[1])
  expect(seconds('TimeoutStopSec=', 'standing.service')).toBeGreaterThan(STOP_MAX_SECONDS)
  expect(seconds('stop_grace_period: ', 'compose.yaml')).toBeGreaterThan(STOP_MAX_SECONDS)
  const deployment = 'helm/standing/templates/deployment.yaml'
  expect(seconds('terminationGracePeriodSeconds: ', deployment)).toBeGreaterThan(STOP_MAX_SECONDS)
})

test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd accepts the unit', async () => {
  const { stderr } = await run('systemd-analyze', ['verify', 'deploy/standing.service'])
  // Problems of other units do not count, nor where Node is installed.
  const about = stderr.split('\n').filter((line) => line.includes('standing.service'))
  expect(about.filter((line) => !line.includes('is not executable'))).toEqual([])
})

const PUBLISHED = ['standing-sdk', 'standing-embedded-postgres']

const release = join(home, 'release')
beforeAll(async () => {
  const flags = [release, '--allow-dirty', '--ignore-scripts']
  await run('node', ['scripts/release.mjs', ...flags])
})

test('the release has packages, sources, licences and a bill of materials, with their origin', async () => {
  const read = (name: string) => readFile(join(release, name), 'utf8')
  const bom = JSON.parse(await read('standing.cdx.json'))
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'standing' } },
  })
  expect(bom.components.map(({ name }: { name: string }) => name)).toContain('jose')
  expect(await read('LICENCES.txt')).toMatch(/^pg 8\.\S+: MIT$/m)
  const sums = (await read('SHA256SUMS'))
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  '))
  for (const [sum, name = ''] of sums) {
    const bytes = await readFile(join(release, name))
    expect([name, sum]).toEqual([name, createHash('sha256').update(bytes).digest('hex')])
  }
  const { subject, predicate } = JSON.parse(await read('provenance.json'))
  const { stdout: commit } = await run('git', ['rev-parse', 'HEAD'])
  expect(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit).toBe(commit.trim())
  const names = subject.map(({ name }: { name: string }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      `standing-${version}.tar.gz`,
      ...PUBLISHED.map((name) => `${name}-${version}.tgz`),
    ]),
  )
})

test('a package contains what it needs and nothing else', async () => {
  for (const name of PUBLISHED) {
    const { stdout } = await run('tar', ['-tzf', join(release, `${name}-${version}.tgz`)])
    const paths = stdout
      .trimEnd()
      .split('\n')
      .map((path) => path.replace('package/', ''))
    expect(paths).toContain('package.json')
    expect([
      name,
      paths.filter((path) => !/^(dist\/|README|LICENSE|package\.json)/.test(path)),
    ]).toEqual([name, []])
  }
})
