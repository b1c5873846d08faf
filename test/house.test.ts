import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf, ROOT, SOURCES } from './support/imports.ts'

const SERVICES = [
  ...['audit', 'auth', 'credentials', 'decisions', 'identifiers', 'identity', 'imports', 'mail'],
  ...['reviews', 'scoring', 'signing', 'webhooks'],
]

/** Services have no wire shapes: they import neither the API nor HTTP. */
const SERVICES_MAY = [...['domain', 'fraud', 'ingest', 'lib', 'outbound', 'delivery'], ...SERVICES]
  .map((module) => `src/${module}/`)
  .concat('src/settings/')
  .concat(['freshness', 'installation', 'store'].map((file) => `src/store/${file}.ts`))

/** What each module may import of the others, first match wins. Tests may reach anywhere. */
const ARROWS: readonly { readonly module: string; readonly may: readonly string[] }[] = [
  { module: 'src/domain/', may: ['src/domain/'] },
  { module: 'src/fraud/', may: ['src/domain/', 'src/fraud/'] },
  {
    module: 'src/ingest/batch-writer/',
    may: ['src/domain/', 'src/ingest/', 'src/lib/', 'src/store/store.ts'],
  },
  {
    module: 'src/ingest/',
    may: [
      ...['src/domain/', 'src/fraud/', 'src/ingest/', 'src/store/store.ts'],
      ...['src/lib/base64url.ts', 'src/lib/hex.ts'],
    ],
  },
  { module: 'src/lib/', may: ['src/lib/', 'src/domain/error.ts'] },
  { module: 'src/store/', may: ['src/domain/', 'src/fraud/', 'src/store/', 'src/lib/'] },
  { module: 'packages/embedded-postgres/', may: ['packages/embedded-postgres/'] },
  { module: 'src/http/', may: ['src/domain/', 'src/http/', 'src/lib/', 'src/store/'] },
  { module: 'src/outbound/', may: ['src/outbound/', 'src/lib/'] },
  {
    module: 'src/delivery/',
    may: ['src/domain/', 'src/delivery/', 'src/outbound/', 'src/lib/', 'src/store/'],
  },
  ...SERVICES.map((module) => ({ module: `src/${module}/`, may: SERVICES_MAY })),
  { module: 'src/quotas/', may: [...SERVICES_MAY, 'src/quotas/', 'src/http/limits.ts'] },
  {
    module: 'src/pages/',
    may: ['src/domain/', 'src/http/', 'src/lib/', 'src/pages/', 'src/auth/'],
  },
  { module: 'src/mcp/', may: ['src/domain/', 'src/http/', 'src/mcp/'] },
  { module: 'src/settings/', may: ['src/settings/', 'src/lib/', 'src/outbound/address.ts'] },
  { module: 'src/config.ts', may: ['src/settings/'] },
  { module: 'packages/design/', may: ['packages/design/'] },
  { module: 'sdk/', may: ['sdk/'] },
  { module: 'dashboard/', may: ['dashboard/'] },
  // The lab measures the command too. The command needs nothing of the lab, which is not shipped.
  { module: 'cli/', may: ['cli/', 'packages/', 'sdk/', 'src/'] },
]

/** A pure file knows neither the time nor chance: both come in as arguments. */
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.now\b|\brandomUUID\b|\bset(Timeout|Immediate|Interval)\b/

/** The batch writer drives the pure rest of its module: it queues and measures. */
const IS_PURE = /^src\/(domain|fraud|ingest\/(?!batch-writer\/))/

/** What a pure file may take from the platform: a digest, which is the same for the same bytes. */
const PLATFORM: Readonly<Record<string, string>> = { 'src/ingest/digest.ts': 'node:crypto' }

test('imports point in one direction', () => {
  const wrong = SOURCES.flatMap((path) => {
    const arrow = ARROWS.find(({ module }) => path.startsWith(module))
    if (!arrow) {
      return []
    }
    const inside = importsOf(path).filter((name) =>
      /^(src|packages|sdk|cli|lab|test|dashboard)\//.test(name),
    )
    const not = inside.filter((name) => !arrow.may.some((module) => name.startsWith(module)))
    return not.map((name) => `${path} imports ${name}`)
  })
  expect(wrong).toEqual([])
})

/** Circles are looked for among the folders of `src`, the nouns of the API and single files. */
function moduleOf(path: string): string {
  const [, folder = '', inner = '', ...rest] = path.split('/')
  const isDivided = folder === 'api' || (folder === 'store' && rest.length > 0)
  return isDivided ? `${folder}/${inner}` : folder
}

test('no folders import each other in a circle', () => {
  const arrows = new Map<string, Set<string>>()
  for (const path of SOURCES.filter((one) => one.startsWith('src/'))) {
    const module = moduleOf(path)
    const others = arrows.get(module) ?? new Set()
    arrows.set(module, others)
    for (const name of importsOf(path).filter((one) => one.startsWith('src/'))) {
      others.add(moduleOf(name))
    }
    others.delete(module)
  }
  expect(arrows.size).toBeGreaterThan(20)
  expect(circlesIn(arrows)).toEqual([])
})

/** The modules that remain when those without imports, or without importers, are removed. */
function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const left = new Map(arrows)
  const isEnd = (module: string, others: ReadonlySet<string>) =>
    ![...others].some((other) => left.has(other)) ||
    ![...left.values()].some((imported) => imported.has(module))
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const [module, others] of left) {
      if (isEnd(module, others)) {
        left.delete(module)
      }
    }
  }
  return [...left].map(
    ([module, others]) =>
      `${module} → ${[...others].filter((other) => left.has(other)).join(', ')}`,
  )
}

test('the search for circles finds one over three folders, and reports none in a straight line', () => {
  const of = (arrows: Readonly<Record<string, readonly string[]>>) =>
    circlesIn(new Map(Object.entries(arrows).map(([module, to]) => [module, new Set(to)])))
  const circle = of({ a: ['b'], b: ['c', 'e'], c: ['a'], d: ['a'], e: [] })
  expect(circle).toEqual(['a → b', 'b → c', 'c → a'])
  expect(of({ a: ['b', 'c'], b: ['c'], c: [] })).toEqual([])
})

test('the pure files import no package, and use neither time nor chance', () => {
  const wrong = SOURCES.filter((path) => IS_PURE.test(path)).flatMap((path) => {
    const outside = importsOf(path).filter(
      (name) => !name.startsWith('src/') && name !== PLATFORM[path],
    )
    const impure = IMPURE.exec(readFileSync(join(ROOT, path), 'utf8'))
    return [
      ...outside.map((name) => `${path} imports ${name}`),
      ...(impure ? [`${path}: ${impure[0]}`] : []),
    ]
  })
  expect(wrong).toEqual([])
})

test('PostgreSQL and the embedded server are named only where the parts are joined', () => {
  const joins =
    /^(src\/service\.ts|src\/startup\/(\w+-)?database\.ts|src\/store\/postgres\/|packages\/|cli\/|lab\/)/
  const wrong = SOURCES.filter((path) => !joins.test(path)).flatMap((path) =>
    importsOf(path)
      .filter((name) => /^(src\/store\/postgres\/|@standing\/embedded-postgres|pg$)/.test(name))
      .map((name) => `${path} imports ${name}`),
  )
  expect(wrong).toEqual([])
})

test('only main reads the environment', () => {
  const wrong = SOURCES.filter(
    (path) =>
      !/^(src\/main\.ts|packages\/|cli\/|lab\/|sdk\/src\/environment\.ts)/.test(path) &&
      /\bprocess\.env\b/.test(readFileSync(join(ROOT, path), 'utf8')),
  )
  expect(wrong).toEqual([])
})

/** What exists once: the only file that may name it, and those that cannot import that file. */
const ONCE: readonly { readonly name: RegExp; readonly in: readonly string[] }[] = [
  { name: /\bparseArgs\b/, in: ['src/lib/arguments.ts'] },
  {
    name: /\bsetInterval\b/,
    in: [
      'src/lib/interval.ts',
      // A package of its own; the clock of the interleavings; pages in a browser.
      'packages/embedded-postgres/src/supervise.ts',
      'lab/interleave/scheduler.ts',
      'dashboard/',
    ],
  },
]

test('one file reads arguments, and one repeats work', () => {
  const wrong = ONCE.flatMap(({ name, in: places }) =>
    SOURCES.filter(
      (path) =>
        !places.some((place) => path.startsWith(place)) &&
        name.test(readFileSync(join(ROOT, path), 'utf8')),
    ),
  )
  expect(wrong).toEqual([])
})

/** A test waits for a fact (`eventually`), not for a time: on a busy machine the time is too short. */
test('no test sleeps', () => {
  const files = ['src', 'packages', 'sdk', 'cli', 'lab', 'test', 'dashboard/test']
    .flatMap((dir) => filesOf(dir, false))
    .filter((path) => /\.test\.tsx?$|\/(testing|support)\//.test(path))
  const wrong = files.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(SLEEP)].map(([use]) => `${path}: ${use}`),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

/** Not `socket.setTimeout`, which bounds a wait for a fact, nor the name of a timer to fake. */
const SLEEP = /(?<![.'\w])(setTimeout|sleep)\(|import \{[^}]*\bsetTimeout\b[^}]*\}/g

test('every file that a page names or links to exists', () => {
  const tree = ['src', 'packages', 'sdk', 'cli', 'lab', 'test', 'docs', 'examples', 'scripts', '.']
  const files = [...new Set(tree.flatMap((dir) => filesOf(dir, dir === '.')))]
  const wrong = files
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => {
      const text = readFileSync(join(ROOT, page), 'utf8')
      const named = [...text.matchAll(/`([\w.-][\w/.-]*\.(?:tsx?|mjs|sql))`/g)].map(
        ([, to]) => to ?? '',
      )
      const linked = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, to]) => to ?? '')
      return [
        ...named.filter(
          (name) => !files.some((path) => path === name || path.endsWith(`/${name}`)),
        ),
        ...linked.filter((to) => !existsSync(join(ROOT, dirname(page), to))),
      ].map((name) => `${page}: ${name}`)
    })
  expect(wrong).toEqual([])
})

test('every test named in docs/spec-choices.md exists, by file and by a few words of its title', () => {
  const tests = ['src', 'packages', 'sdk', 'cli', 'dashboard', 'lab', 'test']
    .flatMap((dir) => filesOf(dir, false))
    .filter((path) => path.endsWith('.test.ts'))
  const rows = readFileSync(join(ROOT, 'docs/spec-choices.md'), 'utf8').split('\n')
  const named = rows.filter((row) => row.startsWith('| ')).flatMap(testsOf)
  expect(named.length).toBeGreaterThan(100)
  const wrong = named.filter(({ file, words }) => {
    const found = tests.filter((path) => `/${path}`.endsWith(`/${file}.test.ts`))
    return !found.some((path) => words.every((some) => isIn(path, some)))
  })
  expect(wrong).toEqual([])
})

interface NamedTest {
  readonly file: string
  readonly words: readonly string[]
}

/** The last cell of a row: `` `file` · words of a test, words of another, `file` ``. */
function testsOf(row: string): readonly NamedTest[] {
  const cell = row.replace(/ \|$/, '').split(' | ').at(-1) ?? ''
  return cell.split(/, (?=`)/).flatMap((part) => {
    const [, file, words] = /^`([\w/-]+)`(?: · (.*))?/.exec(part) ?? []
    return file === undefined ? [] : [{ file, words: words?.split(', ') ?? [] }]
  })
}

function isIn(path: string, words: string): boolean {
  return readFileSync(join(ROOT, path), 'utf8').includes(words)
}

function filesOf(dir: string, isFlat: boolean): readonly string[] {
  return readdirSync(join(ROOT, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name)
    if (entry.isFile()) {
      return [path]
    }
    const isOurs = entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== 'dist'
    return isOurs && !isFlat ? filesOf(path, false) : []
  })
}
