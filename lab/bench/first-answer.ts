import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Standing } from '@standing/sdk'
import { readOptions } from '../options.ts'
import { publish, type Table } from '../report.ts'
import { median } from '../statistics.ts'

const USAGE = `npm run bench:first-answer -- [--rounds N] [--page FILE]

Measures the seconds from nothing to the first useful answer, for an operator, an owner, a platform and an
agent. Each round starts the service on an empty directory and runs the commands that the README prints. The
time to read and to type is not in it.`

const run = promisify(execFile)
const ROOT = process.cwd()
const COMMAND = join(ROOT, 'scripts/standing.mjs')

const WHO = ['operator', 'owner', 'platform', 'agent', 'anyone'] as const

interface Task {
  readonly who: (typeof WHO)[number]
  readonly task: string
  readonly answer: string
}

/** What a round has made so far. */
interface World {
  readonly home: string
  readonly url: string
  readonly setUpLink: string
  operatorKey: string
  agentId: string
  agentKey: string
}

const START: Task = {
  who: 'operator',
  task: '`npm start` on an empty directory',
  answer: 'the service listens',
}

const DEMO: Task = {
  who: 'anyone',
  task: '`npm run demo`',
  answer: 'a year of agents, disputes and reviews to look at',
}

const TASKS: readonly (Task & { readonly does: (world: World) => Promise<void> })[] = [
  {
    who: 'operator',
    task: 'the set-up link, its key, `standing platform list`',
    answer: 'the key works',
    does: setUp,
  },
  {
    who: 'owner',
    task: 'the first block of the README: an account, an agent, its first event',
    answer: 'the score of the agent',
    does: beginAsOwner,
  },
  {
    who: 'platform',
    task: 'the block that admits a platform and reports a payment, `standing score get`',
    answer: 'the score that the payment made',
    does: beginAsPlatform,
  },
  {
    who: 'agent',
    task: 'reports about itself with the SDK',
    answer: 'its own score',
    does: beginAsAgent,
  },
  {
    who: 'agent',
    task: '`standing mcp`: connect, list the tools, call `check_trust`',
    answer: 'whether to trust another agent',
    does: beginByMcp,
  },
]

async function main(): Promise<void> {
  const values = readOptions(USAGE, { rounds: 3, page: null })
  const times = new Map<Task, number[]>()
  const measured = async <T>(task: Task, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const value = await work()
    times.set(task, [...(times.get(task) ?? []), (performance.now() - begun) / 1000])
    return value
  }
  // As `npm ci` leaves it.
  await run(process.execPath, ['scripts/build.mjs'])
  for (let i = 0; i < values.rounds; i++) {
    await round(measured)
    process.stderr.write(`round ${i + 1} of ${values.rounds}\n`)
  }
  const about = `Node ${process.version}, ${values.rounds} rounds, the median and the slowest`
  publish(values, { section: 'first-answer', about, table: tableOf(times) })
}

type Measured = <T>(task: Task, work: () => Promise<T>) => Promise<T>

async function round(measured: Measured): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'standing-first-'))
  try {
    const service = await measured(START, () => start(home))
    const world = { home, operatorKey: '', agentId: '', agentKey: '', ...service }
    for (const task of TASKS) {
      await measured(task, () => task.does(world))
    }
    await end(service.child)
    await end(await measured(DEMO, startDemo))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function start(home: string) {
  const child = npm(['start'], { PORT: '0', STANDING_DATA_DIR: join(home, 'data') })
  let said = ''
  child.stderr?.on('data', (text: Buffer) => {
    said += text.toString()
  })
  const line = await lineWith(child, '"msg":"listening"')
  const { url } = JSON.parse(line) as { readonly url: string }
  while (!/\/setup\?token=[\w-]+/.test(said)) {
    await once(child.stderr ?? child, 'data')
  }
  const [path = ''] = /\/setup\?token=[\w-]+/.exec(said) ?? []
  return { child, url, setUpLink: url + path }
}

async function startDemo(): Promise<ChildProcess> {
  const child = npm(['run', 'demo', '--', '--port', '0'], {})
  await lineWith(child, 'The demo is at')
  return child
}

async function setUp(world: World): Promise<void> {
  const { url, setUpLink } = world
  await page(setUpLink)
  const body = new URL(setUpLink).searchParams
  const shown = await page(`${url}/setup`, { method: 'POST', body })
  world.operatorKey = must(/avo_\w+/.exec(shown)?.[0])
  await standing(world, ['platform', 'list'], { STANDING_OPERATOR_KEY: world.operatorKey })
}

async function beginAsOwner(world: World): Promise<void> {
  const [first = ''] = await readmeBlocks()
  const names = '\necho; echo "$ID $KEY"'
  const lines = (await shell(world, first + names)).trim().split('\n')
  const [agentId = '', agentKey = ''] = lines.at(-1)?.split(' ') ?? []
  Object.assign(world, { agentId, agentKey })
  must(/"score":\d+/.exec(lines.at(-2) ?? '')?.[0])
}

async function beginAsPlatform(world: World): Promise<void> {
  const [first = '', , admit = ''] = await readmeBlocks()
  const given = `OPERATOR_KEY=${world.operatorKey} ID=${world.agentId}\n`
  // The variables and the function of the first block, without what it does.
  const names = first.slice(0, first.indexOf('# An owner'))
  const said = await shell(world, names + given + admit)
  must(/"reporterWeight":1\b/.exec(said)?.[0])
  await standing(world, ['score', 'get', world.agentId], {})
}

async function beginAsAgent({ url, agentId, agentKey }: World): Promise<void> {
  const client = new Standing({ baseUrl: url, apiKey: agentKey })
  await client.events.report(agentId, { type: 'task.completed' })
  must(String((await client.score.get(agentId)).score))
}

async function beginByMcp(world: World): Promise<void> {
  const child = spawn(process.execPath, [COMMAND, 'mcp'], {
    cwd: world.home,
    env: environment({ STANDING_URL: world.url, HOME: world.home }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const call = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return must<string>((await lines.next()).value)
  }
  const clientInfo = { name: 'first-answer', version: '1' }
  await call(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  must(/check_trust/.exec(await call(2, 'tools/list', {}))?.[0])
  const params = { name: 'check_trust', arguments: { agent: world.agentId } }
  must(/"score":\d+/.exec(await call(3, 'tools/call', params))?.[0])
  child.stdin.end()
  await once(child, 'exit')
}

/** The shell blocks below `A score in one minute`. */
async function readmeBlocks(): Promise<readonly string[]> {
  const text = await readFile(join(ROOT, 'README.md'), 'utf8')
  const below = text.slice(text.indexOf('## A score in one minute'))
  return [...below.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => code)
}

async function shell({ home, url }: World, code: string): Promise<string> {
  const script = `set -e\n${code.replaceAll('http://127.0.0.1:8080', url)}`
  const { stdout } = await run('bash', ['-c', script], { cwd: home, env: environment({}) })
  return stdout
}

async function standing(world: World, args: readonly string[], env: Env): Promise<string> {
  const variables = environment({ STANDING_URL: world.url, HOME: world.home, ...env })
  const options = { cwd: world.home, env: variables }
  return (await run(process.execPath, [COMMAND, ...args], options)).stdout
}

async function page(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init)
  return response.text()
}

type Env = Readonly<Record<string, string>>

function npm(args: readonly string[], env: Env): ChildProcess {
  const options = { cwd: ROOT, env: environment(env) }
  return spawn('npm', [...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** No sign-in and no setting of this shell is used. */
function environment(more: Env): Env {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, ...more }
}

async function lineWith(child: ChildProcess, part: string): Promise<string> {
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes(part)) {
        // What comes later must not fill the pipe.
        child.stdout.resume()
        return line
      }
    }
  }
  throw new Error(`a process ended before it said ${part}`)
}

async function end(child: ChildProcess): Promise<void> {
  child.stderr?.resume()
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** A task that has no answer has no time either. */
function must<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('the answer that was waited for did not come')
  }
  return value
}

function tableOf(times: ReadonlyMap<Task, readonly number[]>): Table {
  const rows = [...times].map(([{ who, task, answer }, seconds]) => {
    const cells = [task, answer, median(seconds).toFixed(1), Math.max(...seconds).toFixed(1)]
    return { who, cells }
  })
  rows.sort((a, b) => WHO.indexOf(a.who) - WHO.indexOf(b.who))
  return {
    head: ['who', 'does', 'and has', 'seconds', 'slowest'],
    rows: rows.map(({ who, cells }) => [who, ...cells]),
  }
}

await main()
