import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startService } from '../service.ts'
import { type Load, ourRequests } from './contenders.ts'
import type { Options } from './options.ts'
import type { Stage } from './stage.ts'

/** Where the service's own time went, in shares of the time it was busy. */
export interface Profile {
  readonly of: string
  readonly modules: readonly Share[]
  readonly functions: readonly Share[]
}

interface Share {
  readonly name: string
  readonly share: number
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[]
  /** Microseconds on the machine's steady clock. */
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const SHOWN = 18

/** Runs the load once more on a service of its own that Node watches. */
export async function profileOf(
  of: keyof ReturnType<typeof ourRequests>,
  stage: Stage,
  load: Load,
  { firstMs, roundMs }: Options,
): Promise<Profile> {
  const dir = mkdtempSync(join(tmpdir(), 'standing-profile-'))
  const nodeArgs = ['--cpu-prof', `--cpu-prof-dir=${dir}`]
  const service = await startService(stage.databaseUrl, { nodeArgs })
  const requests = ourRequests(stage)[of]
  // Uncounted, so that the profile is without starting and compiling.
  await load.http(service.port, requests, firstMs)
  const since = Number(process.hrtime.bigint() / 1_000n)
  await load.http(service.port, requests, roundMs)
  await service.end()
  const [file = ''] = readdirSync(dir)
  const profile = JSON.parse(readFileSync(join(dir, file), 'utf8')) as CpuProfile
  rmSync(dir, { recursive: true })
  return { of, ...sharesOf(profile, since) }
}

const NOT_BUSY = new Set(['(idle)', '(program)', '(root)'])

function sharesOf(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  since: number,
): Omit<Profile, 'of'> {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const modules = new Map<string, number>()
  const functions = new Map<string, number>()
  let busy = 0
  let at = startTime
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id)
    const spent = timeDeltas[i] ?? 0
    at += spent
    if (at < since || !frame || NOT_BUSY.has(frame.functionName)) {
      continue
    }
    const module = moduleOf(frame)
    const name = `${frame.functionName || '(anonymous)'} ${module}`
    modules.set(module, (modules.get(module) ?? 0) + spent)
    functions.set(name, (functions.get(name) ?? 0) + spent)
    busy += spent
  }
  const shares = (spent: ReadonlyMap<string, number>) =>
    [...spent]
      .map(([name, us]) => ({ name, share: us / busy }))
      .sort((a, b) => b.share - a.share)
      .slice(0, SHOWN)
  return { modules: shares(modules), functions: shares(functions) }
}

const maps = new Map<string, SourceMap>()

/**
 * A source file of the project by its path, one of a package by the package's name, from the map of the
 * bundle.
 */
function moduleOf({ url, lineNumber, columnNumber }: CallFrame): string {
  if (url === '') {
    return 'V8 and native code'
  }
  if (!url.startsWith('file:')) {
    return url
  }
  const { originalSource: source = '' } = mapOf(url).findEntry(lineNumber, columnNumber) as {
    readonly originalSource?: string
  }
  const [, path = 'the bundle'] = SOURCE.exec(source) ?? []
  return path.replace(PACKAGE, '$1')
}

function mapOf(url: string): SourceMap {
  const map =
    maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  maps.set(url, map)
  return map
}

const SOURCE = /(?:^|\/)((?:node_modules|src|sdk|cli|scripts|packages)\/.+)$/
const PACKAGE = /^node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/
