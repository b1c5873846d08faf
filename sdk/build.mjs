// Builds what the package carries: one plain JavaScript file, and the types of its sources. In the
// checkout itself everything uses the sources (the export condition `standing-source`).
import { execFile } from 'node:child_process'
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
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const run = promisify(execFile)

/** Writes `index.js` and the declarations into `out`. */
export async function buildSdk(out) {
  const draft = await mkdtemp(join(tmpdir(), 'standing-sdk-'))
  try {
    await Promise.all([writeTypes(draft), writeCode(draft)])
    await mkdir(out, { recursive: true })
    // The code last: that it is there says that all is.
    await cp(draft, out, { recursive: true, filter: (path) => path !== join(draft, 'index.js') })
    await cp(join(draft, 'index.js'), join(out, `index.js.${process.pid}`))
    await rename(join(out, `index.js.${process.pid}`), join(out, 'index.js'))
  } finally {
    await rm(draft, { recursive: true })
  }
}

/** Whether what was built is of these sources. */
export async function isBuilt(out) {
  const built = await modified(join(out, 'index.js'))
  const sources = (await filesBelow(join(here, 'src'))).concat(
    ['build.mjs', 'package.json', 'tsconfig.build.json'].map((name) => join(here, name)),
  )
  return built > Math.max(...(await Promise.all(sources.map(modified))))
}

async function writeCode(out) {
  const { build } = await import('esbuild')
  await build({
    entryPoints: [join(here, 'src/index.ts')],
    outfile: join(out, 'index.js'),
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  })
}

async function writeTypes(out) {
  const tsc = compiler()
  // Only in an install without the development packages, where nobody compiles either.
  if (tsc === undefined) return console.warn('@standing/sdk: no typescript here, so no types built')
  await run(process.execPath, [tsc, '-p', join(here, 'tsconfig.build.json'), '--outDir', out])
  for (const path of await filesBelow(out)) {
    if (!path.endsWith('.d.ts')) continue
    // tsc keeps the `.ts` of the sources, which older compilers do not follow.
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
}

function compiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc')
  } catch {
    return undefined
  }
}

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
}

async function modified(path) {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // node build.mjs [FOLDER]
  const dist = process.argv[2] ?? join(here, 'dist')
  if (!(await isBuilt(dist))) await buildSdk(dist)
}
