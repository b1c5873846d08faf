import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export const OPERATOR_KEY = `avo_${'0'.repeat(38)}`

/** The service as `npm start` runs it, in a process of its own. */
export interface ServiceProcess {
  readonly pid: number
  /** The address, once it listens. @throws Error where it ends first, or takes too long */
  readonly listening: Promise<string>
  /** Ends it by a signal, and waits for it. The exit code; null after a kill. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
}

export interface ProcessOptions {
  /** Settings, in addition to those that every program of the lab uses. */
  readonly settings: Readonly<Record<string, string>>
  /** Arguments of Node.js, such as a module to load first. */
  readonly nodeArgs: readonly string[]
  /** Gets each line of the log. */
  readonly onLine: (line: string) => void
}

/** Set limits would refuse most of what the lab sends. */
const SETTINGS = { STANDING_OPERATOR_KEY: OPERATOR_KEY, STANDING_RATE_LIMITS: 'off' }

/** A start recovers the database after a crash: seconds, on a busy machine more. */
const START_MAX_MS = 180_000

/** Starts the service from the checkout in which npm runs this program. Killed if this program exits before it. */
export function spawnService({ settings, nodeArgs, onLine }: ProcessOptions): ServiceProcess {
  const child = spawn(process.execPath, [...nodeArgs, 'scripts/run.mjs', 'src/main.ts'], {
    env: { PATH: process.env.PATH, ...SETTINGS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const listening = new Promise<string>((resolve, reject) => {
    const output: string[] = []
    child.stderr.on('data', (text: Buffer) => output.push(text.toString()))
    const failed = (why: string) => reject(new Error(`the service ${why}:\n${output.join('')}`))
    child.once('exit', (code) => failed(`ended with ${code}`))
    const late = AbortSignal.timeout(START_MAX_MS)
    late.addEventListener('abort', () => failed('did not start in time'), { once: true })
    createInterface({ input: child.stdout }).on('line', (line) => {
      onLine(line)
      const url = addressIn(line)
      if (url !== null) {
        resolve(url)
      }
    })
  })
  return {
    pid: child.pid ?? 0,
    listening,
    async end(signal) {
      child.kill(signal)
      // A process that stands still would never end.
      child.kill('SIGCONT')
      const [code] = await exited
      process.off('exit', kill)
      return code
    },
  }
}

/** The address in the log line that says that the service listens; null in another line. */
function addressIn(line: string): string | null {
  if (!line.includes('"msg":"listening"')) {
    return null
  }
  const { url } = JSON.parse(line) as { readonly url: string }
  return url
}
