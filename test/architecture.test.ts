import { readdirSync, readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { newAgent, newPlatform, startService } from './support/service.ts'

const ROOT = dirname(import.meta.dirname)
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

test('ARCHITECTURE.md gives the number of the store’s methods', () => {
  const folder = join(ROOT, 'src/store')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
  const counts = files.map((name) => methodsIn(readFileSync(join(folder, name), 'utf8')))
  const nouns = counts.filter((count) => count > 0)
  const methods = nouns.reduce((sum, count) => sum + count, 0)
  expect(PAGE).toContain(`${methods} methods for ${nouns.length} nouns`)
})

/** The methods that the interfaces of a file declare. */
function methodsIn(source: string): number {
  const interfaces = source.match(/^export interface .*\{\n[\s\S]*?^\}/gm) ?? []
  return interfaces.flatMap((one) => one.match(/^ {2}\w+(<.*>)?\(/gm) ?? []).length
}

/** A background task may run beside a report; none runs beside each of so many. */
const TAKES = 3

/** The files of `src` that run functions between a platform's report and its response. */
async function filesOfOneEvent(): Promise<ReadonlySet<string>> {
  const at = await startService()
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const report = () => client.events.submit(agent.id, { type: 'task.completed' })
  // The first one fills the caches: keys, rules, quota.
  await report()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true })
  await session.post('Profiler.takePreciseCoverage')
  const takes: ReadonlySet<string>[] = []
  for (let i = 0; i < TAKES; i++) {
    await report()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    takes.push(new Set(result.filter(isCalled).flatMap(({ url }) => nameOf(url))))
  }
  session.disconnect()
  const [first = new Set<string>()] = takes
  return new Set([...first].filter((name) => takes.every((take) => take.has(name))))
}

function isCalled({ functions }: Profiler.ScriptCoverage): boolean {
  return functions.some(
    ({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0),
  )
}

/** `http/edge` for the file of that name in `src`. */
function nameOf(url: string): readonly string[] {
  const [, path = ''] = url.split(`${ROOT}/src/`)
  return path.endsWith('.ts') ? [path.slice(0, -'.ts'.length)] : []
}
