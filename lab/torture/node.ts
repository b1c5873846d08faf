import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { freePort } from '../../src/lib/testing/free-port.ts'

/** The service in a process of its own, which may end and start again at the same address. */
export interface ServiceNode {
  readonly url: string
  /** Starts it, and resolves once it listens. */
  start(): Promise<void>
  /** Of the process as it runs now. */
  pid(): number
  /** What it logged last as a warning or an error. */
  complaints(): readonly string[]
  /** Ends the process by a signal, and waits for it. The exit code; null after a kill. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

export interface NodeOptions {
  readonly env: Readonly<Record<string, string>>
  /** Arguments of Node.js, such as a module to load first. */
  readonly nodeArgs?: readonly string[]
}

export const OPERATOR_KEY = `avo_${'0'.repeat(38)}`

/** A start recovers the database after a crash: seconds, on a busy machine more. */
const START_MAX_MS = 180_000

/** Lines of the log that say that something is wrong; the last few of them. */
const COMPLAINT = /"level":[456]0/
const COMPLAINTS_MAX = 3
const LINE_MAX = 500

/** Three nodes on one database, with one master key. */
export function threeNodes(databaseUrl: string, { env, nodeArgs }: NodeOptions) {
  const settings = {
    DATABASE_URL: databaseUrl,
    STANDING_SECRET_KEY: randomBytes(32).toString('base64'),
    ...env,
  }
  return Promise.all(
    [1, 2, 3].map(() => createNode({ ...(nodeArgs && { nodeArgs }), env: settings })),
  )
}

export async function createNode({ env, nodeArgs = [] }: NodeOptions): Promise<ServiceNode> {
  const port = await freePort()
  const settings = {
    PATH: process.env.PATH,
    PORT: String(port),
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    STANDING_RATE_LIMITS: 'off',
    STANDING_SHUTDOWN_GRACE: '0',
    STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'info',
    ...env,
  }
  let child: ChildProcess | null = null
  let exited: Promise<unknown[]> = Promise.resolve([])
  let complaints: readonly string[] = []
  const onLine = (line: string) => {
    if (COMPLAINT.test(line)) {
      complaints = [...complaints, line.slice(0, LINE_MAX)].slice(-COMPLAINTS_MAX)
    }
  }
  const killAtExit = () => child?.kill('SIGKILL')
  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      child = spawn(process.execPath, [...nodeArgs, 'scripts/run.mjs', 'src/main.ts'], {
        env: settings,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      exited = once(child, 'exit')
      process.once('exit', killAtExit)
      await listening(child, onLine)
    },
    pid: () => child?.pid ?? 0,
    complaints: () => complaints,
    async end(signal) {
      child?.kill(signal)
      // A process that stands still would never end.
      child?.kill('SIGCONT')
      const [code] = await exited
      process.off('exit', killAtExit)
      return typeof code === 'number' ? code : null
    },
  }
}

async function listening(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  const late = AbortSignal.timeout(START_MAX_MS)
  const output: string[] = []
  child.stderr?.on('data', (text: Buffer) => output.push(text.toString()))
  await new Promise<void>((resolve, reject) => {
    const failed = (why: string) => reject(new Error(`the service ${why}:\n${output.join('')}`))
    child.once('exit', (code) => failed(`ended with ${code}`))
    late.addEventListener('abort', () => failed('did not start in time'), { once: true })
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        onLine(line)
        if (line.includes('"msg":"listening"')) {
          resolve()
        }
      })
    }
  })
}
