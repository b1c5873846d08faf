// node scripts/release.mjs OUT: makes the files of a release in the new directory OUT, from a clean checkout:
// the packages, the sources, the bill of materials, the licences, and what they were made from. Signs and
// publishes nothing: CI does, with its own identity.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { root } from './fresh.mjs'

/** Licences that allow to pass the packages on under MIT, with their notices. */
const LICENCES = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
]

const INSTALLED = 'node_modules/'

const [target, ...flags] = process.argv.slice(2)
if (target === undefined) {
  fail('Name the directory to make: node scripts/release.mjs OUT')
}
const out = resolve(target)
const { version, workspaces } = json(join(root, 'package.json'))
const commit = run('git', ['rev-parse', 'HEAD']).trim()
if (!flags.includes('--allow-dirty') && run('git', ['status', '--porcelain']) !== '') {
  fail('The checkout has changes. Commit them first: a release is made from a commit.')
}
checkVersions()
mkdirSync(out)

const bom = billOfMaterials()
write('standing.cdx.json', JSON.stringify(bom, null, 2))
write('LICENCES.txt', licencesOf(bom))
run('git', [
  'archive',
  '--format=tar.gz',
  `--prefix=standing-${version}/`,
  `--output=${out}/standing-${version}.tar.gz`,
  'HEAD',
])
const packages = published()
const isBuilt = flags.includes('--ignore-scripts')
if (!isBuilt) {
  run(process.execPath, ['sdk/build.mjs'])
}
const packFlags = ['--pack-destination', out, ...(isBuilt ? ['--ignore-scripts'] : [])]
npm(['pack', ...packFlags, ...packages.map(({ home }) => home)])
console.log(`packed ${packages.map(({ name }) => name).join(' and ')}`)
const subject = readdirSync(out)
  .sort()
  .map((name) => ({ name, digest: { sha256: sha256(name) } }))
write('provenance.json', JSON.stringify(provenance(subject), null, 2))
write(
  'SHA256SUMS',
  readdirSync(out)
    .sort()
    .map((name) => `${sha256(name)}  ${name}\n`)
    .join(''),
)
console.log(`release ${version} of ${commit} is in ${out}`)

/**
 * Of what runs. npm's own `--omit dev` also leaves out what development packages use as well, such as pg,
 * so the lock file says what is for development alone.
 */
function billOfMaterials() {
  const running = runningPackages()
  const full = JSON.parse(npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']))
  const components = full.components.filter((one) => running.has(`${one.name}@${one.version}`))
  const refs = new Set([
    full.metadata.component['bom-ref'],
    ...components.map((one) => one['bom-ref']),
  ])
  const dependencies = full.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => refs.has(ref)) }))
  const component = { ...full.metadata.component, name: 'standing' }
  return { ...full, metadata: { ...full.metadata, component }, components, dependencies }
}

/** By the lock file, each as `name@version`. */
function runningPackages() {
  const { packages } = json(join(root, 'package-lock.json'))
  const installed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes(INSTALLED) && !dev && !link,
  )
  return new Set(
    installed.map(([path, { version: its }]) => {
      const name = path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length)
      return `${name}@${its}`
    }),
  )
}

/** Workspaces that go to a registry. */
function published() {
  const homes = workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, pattern.slice(0, -2))).map((name) => pattern.replace('*', name))
      : [pattern],
  )
  return homes
    .map((home) => ({ home: join(root, home), ...json(join(root, home, 'package.json')) }))
    .filter(({ private: isPrivate }) => isPrivate !== true)
}

function checkVersions() {
  const other = published().find((one) => one.version !== version)
  if (other) {
    fail(`${other.name} has the version ${other.version}, and the release is ${version}.`)
  }
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## ${version}`)) {
    fail(`CHANGELOG.md has no entry for ${version}.`)
  }
}

function licencesOf({ components }) {
  const lines = components.map(({ name, version: its, licenses = [] }) => {
    const names = licenses.map(
      ({ license, expression }) => license?.id ?? license?.name ?? expression,
    )
    if (names.length === 0 || names.some((one) => !LICENCES.includes(one))) {
      fail(
        `${name} ${its} has the licence ${names.join(', ') || 'unknown'}, which a person has to read.`,
      )
    }
    return `${name} ${its}: ${names.join(', ')}\n`
  })
  return lines.sort().join('')
}

/** An in-toto statement about every file: from which commit, by which program (SLSA provenance 1.0). */
function provenance(subject) {
  const uri = process.env.GITHUB_SERVER_URL
    ? `git+${process.env.GITHUB_SERVER_URL}/${process.env.GITHUB_REPOSITORY}`
    : 'git+file:standing'
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:standing:release:1',
        externalParameters: { version },
        resolvedDependencies: [
          { uri, digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: hashOf(join(root, 'package-lock.json')) } },
        ],
      },
      runDetails: {
        builder: { id: process.env.GITHUB_WORKFLOW_REF ?? 'urn:standing:release:local' },
      },
    },
  }
}

function sha256(name) {
  return hashOf(join(out, name))
}

function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

function write(name, text) {
  writeFileSync(join(out, name), `${text.trimEnd()}\n`)
}

function json(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function npm(args) {
  return run('npm', args)
}

function run(program, args) {
  return execFileSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
