/**
 * Prints the files of `src` that run functions between a platform's report and its response, as JSON. The
 * arguments: the settings of the service as JSON, and a password.
 *
 * A process of its own, whose counting begins before it loads the service: V8 counts no calls of a function
 * that it compiled earlier and that ran too seldom to be watched.
 */
import { readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { findSourceMap } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** As maps name it. This is run in the checkout. */
const SRC = pathToFileURL('src/').href

/** What a node does at its start may run beside a report; it does not run beside each of so many. */
const TAKES = 3

/** What is repeated does not begin: on a busy machine, what is due every second ran beside each report. */
const interval = globalThis.setInterval
globalThis.setInterval = ((work: () => void, ms: number) => {
  const timer = interval(work, ms)
  clearInterval(timer)
  return timer
}) as typeof setInterval

const [, , settings = '{}', password = ''] = process.argv
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true })
const { platformOfService } = await import('./one-event.ts')
const { report, close } = await platformOfService(JSON.parse(settings), password)
// The first one fills the caches: keys, rules, quota.
await report()
await session.post('Profiler.takePreciseCoverage')
const takes: ReadonlySet<string>[] = []
for (let i = 0; i < TAKES; i++) {
  await report()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  takes.push(new Set(result.flatMap(sourcesOf)))
}
session.disconnect()
await close()
const [first = new Set<string>()] = takes
const inAll = [...first].filter((name) => takes.every((take) => take.has(name)))
process.stdout.write(JSON.stringify(inAll))

/** `http/edge` for each file of that name in `src` of which a named function of the bundle was called. */
function sourcesOf({ url, functions }: Profiler.ScriptCoverage): readonly string[] {
  const map = url.startsWith('file:') ? findSourceMap(url) : undefined
  if (!map) {
    return []
  }
  const starts = lineStarts(readFileSync(fileURLToPath(url), 'utf8'))
  return functions
    .filter(({ functionName, ranges }) => functionName !== '' && ranges.some(isCalled))
    .flatMap(({ ranges: [range] }) => {
      const offset = range?.startOffset ?? 0
      const line = starts.findLastIndex((start) => start <= offset)
      const entry = map.findEntry(line, offset - (starts[line] ?? 0))
      const source = 'originalSource' in entry ? entry.originalSource : ''
      return source.startsWith(SRC) ? source.slice(SRC.length).replace(/\.ts$/, '') : []
    })
}

function isCalled({ count }: Profiler.CoverageRange): boolean {
  return count > 0
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
}
