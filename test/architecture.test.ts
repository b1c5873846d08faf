import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from './support/database.ts'
import { importsOf, ROOT, SOURCES } from './support/imports.ts'
import { OPERATOR_KEY, PASSWORD } from './support/service.ts'

const PAGE = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')

/** Modules whose code runs only for requests: each of their files that runs must be on the page. */
const COMPLETE = /^(api|http|auth|ingest)\//

test('ARCHITECTURE.md lists and counts the files that an event passes', async () => {
  const rows = PAGE.split('\n').filter((line) => /^\| [a-z ]+ \| .* \| `\w+\//.test(line))
  const listed = rows.flatMap((row) =>
    [...(row.split(' | ').at(-1) ?? '').matchAll(/`([\w/-]+)`/g)].map(([, name]) => name ?? ''),
  )
  const ran = await filesOfOneEvent()
  expect(listed.filter((name) => !ran.has(name))).toEqual([])
  const complete = [...ran].filter((name) => COMPLETE.test(name))
  expect(complete.filter((name) => !listed.includes(name))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
  expect(PAGE).toContain(`These are ${listed.length} files.`)
})

test('ARCHITECTURE.md lists for each module all modules that it imports, and no other', () => {
  const rows = PAGE.split('\n').flatMap((line) => {
    const [, cell = '', imports = ''] =
      /^\| (`[\w./-]+`(?: `[\w./-]+`)*) \| .* \| (.*) \|$/.exec(line) ?? []
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, module = '']) => ({ module, imports }))
  })
  const listed = rows.map(({ module, imports }) => `${module} imports ${imports}`)
  const found = rows.map(({ module, imports }) => {
    const found =
      imports === 'any module' ? imports : [...modulesImportedBy(module)].sort().join(', ')
    return `${module} imports ${found || 'nothing'}`
  })
  expect(listed).toEqual(found)
  expect(new Set(rows.map(({ module }) => module))).toEqual(new Set(SOURCES.map(moduleOf)))
  expect(rows.length).toBe(new Set(listed).size)
})

const PACKAGES: Readonly<Record<string, string>> = {
  '@standing/design': 'packages/design',
  '@standing/embedded-postgres': 'packages/embedded-postgres',
  '@standing/sdk': 'sdk',
}

/** A folder of `src`, a file beside these folders, a package, or another folder of the repository. */
function moduleOf(path: string): string {
  const [, inPackage] = /^(@standing\/[\w-]+)/.exec(path) ?? []
  const [, module] =
    /^(src\/store\/postgres|src\/[\w.-]+|packages\/[\w-]+|sdk|cli|lab|dashboard)(?:\/|$)/.exec(
      path,
    ) ?? []
  return PACKAGES[inPackage ?? ''] ?? module ?? ''
}

/** By the names of the last column: without `src/` and `packages/`. */
function modulesImportedBy(module: string): ReadonlySet<string> {
  const imported = SOURCES.filter((path) => moduleOf(path) === module)
    .flatMap(importsOf)
    .map(moduleOf)
    .filter((other) => !['', 'src/lib', module].includes(other))
  return new Set(imported.map((other) => other.replace(/^(src|packages)\//, '')))
}

test('ARCHITECTURE.md gives the number of the store’s methods', () => {
  const folder = join(ROOT, 'src/store')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'))
  const methods = texts.reduce((sum, text) => sum + methodsIn(text), 0)
  const shared = methodsIn(readFileSync(join(folder, 'rows.ts'), 'utf8'))
  const nouns = texts.flatMap((text) => text.match(/^ {2}readonly \w+: \w+Store$/gm) ?? [])
  expect(PAGE).toContain(`${methods} methods for ${nouns.length} nouns`)
  expect(PAGE).toContain(`${shared} methods are shared`)
  expect(PAGE).toContain(`The other ${methods - shared} are a noun's own`)
})

/** The methods that the interfaces of a file declare. */
function methodsIn(source: string): number {
  const interfaces = source.match(/^export interface [\s\S]*?\{\n[\s\S]*?^\}/gm) ?? []
  return interfaces.flatMap((one) => one.match(/^ {2}\w+(<.*>)?\(/gm) ?? []).length
}

/** The files of `src` that run functions between a platform's report and its response. */
async function filesOfOneEvent(): Promise<ReadonlySet<string>> {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const settings = {
    PORT: '0',
    DATABASE_URL: url,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    STANDING_SECRET_KEY: randomBytes(32).toString('base64'),
    STANDING_SELF_CHECK: 'off',
  }
  const { stdout } = await promisify(execFile)(process.execPath, [
    'scripts/run.mjs',
    'test/support/files-of-one-event.ts',
    JSON.stringify(settings),
    PASSWORD,
  ])
  return new Set(JSON.parse(stdout) as readonly string[])
}
