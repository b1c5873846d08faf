import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOptions } from '../options.ts'
import { machine } from '../report.ts'
import { median } from '../statistics.ts'

const USAGE = `npm run bench:start -- [--runs N]

Measures how long the standing command takes to start, compared with Node itself: CPU time (user and
system) and time on the clock, the median and the slowest of some runs. A stand-in for the service responds at
once, so that the time is the command's own.`

const root = process.cwd()
const { runs } = readOptions(USAGE, { runs: 20 })

/** A person does not wait longer than this for a command to begin. */
const WANTED_MS = 150

const ID = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
const SCORE = {
  agentId: ID,
  score: 512,
  classification: 'fair',
  confidence: 'medium',
  eventCount: 60,
  interval: { low: 450, high: 570 },
  disputed: { isDisputed: false },
  evidence: { platformReported: 60, selfReported: 0, quarantined: 0 },
  breakdown: {},
}

const server = createServer((req, res) => {
  res.setHeader('content-type', 'application/json')
  res.end(
    JSON.stringify(req.url?.startsWith('/v1/agents/me') ? { id: ID, displayName: 'a' } : SCORE),
  )
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const standing = [join(root, 'scripts', 'standing.mjs')]
const COMMANDS = {
  'node -e 0': ['-e', '0'],
  'standing --version': [...standing, '--version'],
  'standing whoami': [...standing, 'whoami', '--url', url, '--json'],
  'standing score get': [...standing, 'score', 'get', ID, '--url', url, '--json'],
}

// At its end the child writes how much of a processor it took.
const PROBE = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)) })",
)}`

const medians: Record<string, { readonly cpu: number; readonly wall: number }> = {}
process.stdout.write(`Node ${process.version}, ${machine()}, ${runs} runs\n`)
for (const [name, args] of Object.entries(COMMANDS)) {
  await runOnce(args)
  const all: Run[] = []
  for (let i = 0; i < runs; i++) {
    all.push(await runOnce(args))
  }
  const cpu = sorted(all.map((one) => one.cpuMs))
  const wall = sorted(all.map((one) => one.wallMs))
  medians[name] = { cpu: median(cpu), wall: median(wall) }
  process.stdout.write(
    `${name.padEnd(20)} CPU ${ms(median(cpu))} (most ${ms(cpu.at(-1))})   clock ${ms(median(wall))} (most ${ms(wall.at(-1))})\n`,
  )
}
server.close()
const slow = Object.entries(medians).filter(
  ([name, { wall }]) => name !== 'node -e 0' && wall > WANTED_MS,
)
process.stdout.write(
  slow.length === 0
    ? `all under ${WANTED_MS} ms\n`
    : `over ${WANTED_MS} ms: ${slow.map(([name]) => name).join(', ')}\n`,
)
process.exitCode = slow.length === 0 ? 0 : 1

interface Run {
  readonly cpuMs: number
  readonly wallMs: number
}

function runOnce(args: readonly string[]): Promise<Run> {
  return new Promise((done, fail) => {
    const began = performance.now()
    let cpuMs = 0
    const child = spawn(process.execPath, ['--import', PROBE, ...args], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
      // No sign-in of this machine is used.
      env: { PATH: process.env.PATH, HOME: tmpdir(), STANDING_API_KEY: `avs_${'0'.repeat(38)}` },
    })
    child.stdio[3]?.on('data', (text) => {
      cpuMs = Number(text)
    })
    child.on('close', (code) => {
      if (code === 0) {
        done({ cpuMs, wallMs: performance.now() - began })
      } else {
        fail(new Error(`${args.join(' ')} ended with ${code}`))
      }
    })
  })
}

function sorted(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b)
}

function ms(value = 0): string {
  return `${Math.round(value)} ms`.padStart(7)
}
