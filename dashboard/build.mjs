// Builds the pages into dashboard/dist with esbuild, which the service's own build uses as well: an
// install without the development packages has the dashboard too. Vite serves them while they are written.
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const ENTRY = 'src/main.tsx'
const ENTRY_TAG = `<script type="module" src="./${ENTRY}"></script>`
const SOURCES = [
  'src',
  'public',
  'index.html',
  'build.mjs',
  'package.json',
  '../packages/design/src',
]

/** All that a browser may load in one visit, in both languages, compressed as the service sends it. */
const COMPRESSED_BYTES_MAX = 124_000

/**
 * Writes the pages into `dist` and returns the bytes of each file. They are written aside and renamed, the
 * page last: several services may start, and build, at the same time. Files of an earlier build go at the end.
 */
export async function buildDashboard(dist = join(here, 'dist')) {
  const { outputFiles, metafile } = await bundle()
  const files = new Map(outputFiles.map(({ path, contents }) => [relative(here, path), contents]))
  const compressed = await compressAll(files)
  const sizes = sizesOf(files, compressed)
  await mkdir(join(dist, 'assets'), { recursive: true })
  const draft = await mkdtemp(join(dist, DRAFT))
  try {
    await mkdir(join(draft, 'assets'))
    for (const [path, contents] of [...files, ...compressed]) {
      await writeFile(join(draft, path), contents)
    }
    await cp(join(here, 'public'), draft, { recursive: true })
    await moveFiles(draft, dist)
    await writeIndex(draft, metafile)
    await rename(join(draft, INDEX), join(dist, INDEX))
  } finally {
    await rm(draft, { recursive: true })
  }
  for (const name of await readdir(join(dist, 'assets'))) {
    const path = join('assets', name)
    if (!files.has(path) && !compressed.has(path)) {
      await rm(join(dist, 'assets', name), { force: true })
    }
  }
  return sizes
}

const INDEX = 'index.html'

/** Readers of `dist` skip names that begin with a dot. */
const DRAFT = '.draft-'

async function moveFiles(from, to) {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = relative(from, join(entry.parentPath, entry.name))
    if (entry.isDirectory()) {
      await mkdir(join(to, path), { recursive: true })
    } else {
      await rename(join(from, path), join(to, path))
    }
  }
}

/** Whether what was built is of these sources. */
export async function isDashboardBuilt(dist = join(here, 'dist')) {
  const built = await modified(join(dist, 'index.html'))
  return built > Math.max(...(await Promise.all(SOURCES.map((path) => newest(join(here, path))))))
}

async function bundle() {
  const esbuild = await import('esbuild')
  return esbuild.build({
    absWorkingDir: here,
    entryPoints: [ENTRY],
    outdir: here,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** The page, with what the entry needs named in its head, so that all of it loads at once. */
async function writeIndex(dist, { outputs }) {
  const [script, { cssBundle }] = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint === ENTRY,
  )
  const tags = [
    `<link rel="stylesheet" href="${cssBundle}">`,
    `<script type="module" src="${script}"></script>`,
    ...importsOf(outputs, script).map((path) => `<link rel="modulepreload" href="${path}">`),
  ]
  const source = await readFile(join(here, 'index.html'), 'utf8')
  if (!source.includes(ENTRY_TAG)) {
    throw new Error(`index.html has no ${ENTRY_TAG}`)
  }
  await writeFile(join(dist, INDEX), source.replace(ENTRY_TAG, tags.join('\n    ')))
}

/** What a script imports before it runs, and what that imports. */
function importsOf(outputs, script, seen = new Set()) {
  for (const { path, kind } of outputs[script].imports) {
    if (kind === 'import-statement' && !seen.has(path)) {
      seen.add(path)
      importsOf(outputs, path, seen)
    }
  }
  return [...seen]
}

const compress = promisify(brotliCompress)

/** The highest quality: it takes a second here, and nothing when the service starts. */
async function compressAll(files) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  const entries = [...files].map(async ([path, contents]) => [
    `${path}.br`,
    await compress(contents, { params }),
  ])
  return new Map(await Promise.all(entries))
}

function sizesOf(files, compressed) {
  const sizes = [...files].map(([path, contents]) => ({
    path,
    bytes: contents.length,
    compressedBytes: compressed.get(`${path}.br`).length,
  }))
  const total = sizes.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0)
  if (total > COMPRESSED_BYTES_MAX) {
    throw new Error(`the dashboard has ${total} bytes compressed, of ${COMPRESSED_BYTES_MAX}`)
  }
  return sizes
}

async function newest(path) {
  const stats = await stat(path)
  if (!stats.isDirectory()) {
    return stats.mtimeMs
  }
  const names = await readdir(path, { recursive: true })
  return Math.max(...(await Promise.all(names.map((name) => modified(join(path, name))))))
}

async function modified(path) {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
}

function report(sizes) {
  const line = (path, bytes, compressed) =>
    `${path.padEnd(36)} ${kilobytes(bytes)} ${kilobytes(compressed)}`
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1).padStart(8)} kB`
  const sum = (field) => sizes.reduce((total, one) => total + one[field], 0)
  const sorted = sizes.toSorted((a, b) => b.bytes - a.bytes)
  return [
    `${'file'.padEnd(36)} ${'bytes'.padStart(11)} ${'brotli'.padStart(11)}`,
    ...sorted.map(({ path, bytes, compressedBytes }) => line(path, bytes, compressedBytes)),
    line(
      `all, of at most ${kilobytes(COMPRESSED_BYTES_MAX).trim()}`,
      sum('bytes'),
      sum('compressedBytes'),
    ),
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(report(await buildDashboard()))
}
