// Builds what the package carries: one plain JavaScript file, and one of types. In the checkout itself
// everything uses the sources (the export condition `standing-source`).
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { bundleTypes } from './bundle-types.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const run = promisify(execFile)

/** Writes the code and, but for `codeOnly`, the declarations into `out`. */
export async function buildSdk(out, { codeOnly = false } = {}) {
  const draft = await mkdtemp(join(tmpdir(), 'standing-sdk-'))
  try {
    await writeCode(draft)
    if (!codeOnly) {
      await writeTypes(draft)
    }
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
    ['build.mjs', 'bundle-types.mjs', 'package.json', 'tsconfig.build.json'].map((name) =>
      join(here, name),
    ),
  )
  return built > Math.max(...(await Promise.all(sources.map(modified))))
}

async function writeCode(out) {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [join(here, 'src/index.ts')],
    write: false,
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    // Two thirds of the size. Names and lines stay, so that a stack trace can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 120,
    logLevel: 'warning',
  })
  // Minifying drops the comments that keep other bundlers from looking for a module of Node's.
  const ignored = 'import(/* webpackIgnore: true *//* @vite-ignore */'
  await writeFile(join(out, 'index.js'), outputFiles[0].text.replace('import(', ignored))
}

async function writeTypes(out) {
  const tsc = compiler()
  // Only in an install without the development packages, where nothing is compiled either.
  if (tsc === undefined) {
    return console.warn('@standing/sdk: no typescript here, so no types built')
  }
  const sources = await mkdtemp(join(tmpdir(), 'standing-sdk-types-'))
  try {
    await run(process.execPath, [tsc, '-p', join(here, 'tsconfig.build.json'), '--outDir', sources])
    const { default: ts } = await import('typescript')
    await writeFile(join(out, 'index.d.ts'), await bundleTypes(ts, join(sources, 'index.d.ts')))
  } finally {
    await rm(sources, { recursive: true })
  }
  await writeRequireTypes(out)
}

/**
 * The declarations for `require`. They name those of the module, which a file that is compiled to
 * CommonJS may not import as they are (TS1479). The classes among the values are types as well.
 */
async function writeRequireTypes(out) {
  const module = await import(pathToFileURL(join(out, 'index.js')))
  const values = Object.entries(module).map(([name, value]) => {
    const isClass = /^class\b/.test(Function.prototype.toString.call(value))
    const type = isClass ? `export type ${name} = sdk.${name}\n` : ''
    return `export declare const ${name}: typeof sdk.${name}\n${type}`
  })
  const from = "from './index.js' with { 'resolution-mode': 'import' }\n"
  const text = `import type * as sdk ${from}export type * ${from}${values.join('')}`
  await writeFile(join(out, 'index.d.cts'), text)
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
  // node build.mjs [FOLDER [--code]]
  const [dist = join(here, 'dist'), flag] = process.argv.slice(2)
  if (!(await isBuilt(dist))) {
    await buildSdk(dist, { codeOnly: flag === '--code' })
  }
}
