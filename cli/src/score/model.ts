import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'
import type { addEvent, newEvidence } from '../../../src/domain/evidence.ts'
import type { scoreAt } from '../../../src/domain/score.ts'
import { Problem } from '../problem.ts'

/** A scoring model: the three functions that make a score of events. */
export interface Model {
  readonly newEvidence: typeof newEvidence
  readonly addEvent: typeof addEvent
  readonly scoreAt: typeof scoreAt
}

type Constants = Readonly<Record<string, unknown>>

/**
 * The model with some of its constants changed: src/domain as it is, built anew with the constants of a
 * file (a JSON object, or a module that exports them) in place of those in src/domain/model.ts.
 */
export async function loadModel(path: string): Promise<Model> {
  const core = coreFolder()
  const constants = await readConstants(path)
  await checkNames(constants, join(core, 'model.ts'))
  await checkShapes(constants, core)
  return importBundle<Model>(
    `export { newEvidence, addEvent } from './evidence.ts'; export { scoreAt } from './score.ts'`,
    core,
    [replaceConstants(constants)],
  )
}

/** Where the model's source is: named by scripts/standing.mjs, or above this file. */
function coreFolder(): string {
  const starts = [process.env.STANDING_SOURCES, import.meta.dirname]
  for (const start of starts) {
    for (let dir = start; dir !== undefined && dir !== dirname(dir); dir = dirname(dir)) {
      const core = join(dir, 'src', 'domain')
      if (existsSync(join(core, 'model.ts'))) {
        return core
      }
    }
  }
  throw new Problem('This needs the source of the model (src/domain), which is not here.')
}

async function readConstants(path: string): Promise<Constants> {
  const file = resolve(path)
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Problem(`${path} cannot be read: ${error.message}`)
  })
  if (extname(file) !== '.json') {
    return { ...(await importBundle<Constants>(text, dirname(file), [])) }
  }
  try {
    return JSON.parse(text) as Constants
  } catch (error) {
    throw new Problem(`${path} is not JSON: ${(error as Error).message}`)
  }
}

async function checkNames(constants: Constants, modelFile: string): Promise<void> {
  const source = await readFile(modelFile, 'utf8')
  const known = [...source.matchAll(/^export const (\w+)/gm)].map(([, name]) => name)
  const unknown = Object.keys(constants).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new Problem(`The model has no ${unknown.join(', ')}. It has: ${known.join(', ')}.`)
  }
  if (Object.keys(constants).length === 0) {
    throw new Problem('The file changes no constant.')
  }
}

/** A constant is given whole: a part of one, or one of another kind, makes scores that are none. */
async function checkShapes(constants: Constants, core: string): Promise<void> {
  const real = await importBundle<Constants>(`export * from './model.ts'`, core, [])
  for (const [name, value] of Object.entries(constants)) {
    const problem = differenceOf(real[name], value)
    if (problem !== null) {
      throw new Problem(`${name}${problem}`)
    }
  }
}

function differenceOf(real: unknown, value: unknown): string | null {
  if (typeof real === 'number') {
    return Number.isFinite(value) ? null : ` must be a number, not ${JSON.stringify(value)}.`
  }
  if (typeof real !== 'object' || real === null) {
    return typeof value === typeof real ? null : ` must be a ${typeof real}.`
  }
  if (typeof value !== 'object' || value === null) {
    return ' must be an object.'
  }
  const [names, given] = [Object.keys(real), Object.keys(value)]
  const missing = names.filter((name) => !given.includes(name))
  if (missing.length > 0 && !Array.isArray(real)) {
    return ` lacks ${missing.join(', ')}: give it whole.`
  }
  const more = given.filter((name) => !names.includes(name))
  if (more.length > 0 && !Array.isArray(real)) {
    return ` has no ${more.join(', ')}.`
  }
  for (const [name, part] of Object.entries(value)) {
    const like = (real as Constants)[Array.isArray(real) ? '0' : name]
    const problem = differenceOf(like, part)
    if (problem !== null) {
      return `.${name}${problem}`
    }
  }
  return null
}

/** Every import of model.ts gets these constants, and the others from the real one. */
function replaceConstants(constants: Constants): Plugin {
  const own = Object.entries(constants).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
  )
  return {
    name: 'constants',
    setup(build) {
      build.onResolve({ filter: /\/model\.ts$/ }, ({ path, resolveDir, pluginData }) => {
        const file = resolve(resolveDir, path)
        return pluginData === 'real' ? { path: file } : { path: file, namespace: 'changed' }
      })
      build.onLoad({ filter: /.*/, namespace: 'changed' }, ({ path }) => ({
        // What is exported by name goes before what is exported by star.
        contents: [`export * from ${JSON.stringify(path)}`, ...own].join('\n'),
        loader: 'ts',
        resolveDir: dirname(path),
        pluginData: 'real',
      }))
    },
  }
}

/** Builds and imports a module; the file is gone again when it is there. */
async function importBundle<T>(
  contents: string,
  resolveDir: string,
  plugins: Plugin[],
): Promise<T> {
  const { build } = await import('esbuild')
  const folder = await mkdtemp(join(tmpdir(), 'standing-model-'))
  const outfile = join(folder, 'model.mjs')
  try {
    await build({
      stdin: { contents, resolveDir, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'neutral',
      format: 'esm',
      logLevel: 'silent',
      plugins,
    })
    return (await import(pathToFileURL(outfile).href)) as T
  } catch (error) {
    throw new Problem(`The model cannot be built: ${(error as Error).message}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}
