import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findEmbeddedDatabase, startEmbeddedDatabase } from '../../src/startup/embedded-database.ts'

const ROOT = join(import.meta.dirname, '..', '..')

export interface RunningService {
  readonly url: string
  readonly lines: readonly string[]
  /**
   * Ends it as a power cut would: nothing is finished, nothing is written. Its embedded database goes on running: the
   * next start attaches to it.
   */
  kill(): Promise<void>
  /** Asks it to end, and waits until it has. The exit code. */
  stop(): Promise<number | null>
  /** Sends a signal, and does not wait. */
  signal(signal: NodeJS.Signals): void
  /** Ends it at once, where it has not ended, and its embedded database. */
  close(): Promise<void>
}

type Env = Readonly<Record<string, string>>

/** What is typed: the program itself, or npm, which starts it by a shell. */
const COMMANDS = {
  node: [process.execPath, 'scripts/run.mjs', 'src/main.ts'],
  npm: ['npm', 'start'],
} as const

/** The service in a process of its own, once it says that it listens. */
export async function runService(
  env: Env,
  by: keyof typeof COMMANDS = 'node',
): Promise<RunningService> {
  const [program, ...args] = COMMANDS[by]
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      STANDING_SHUTDOWN_GRACE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const url = await listening(child, lines)
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [code] = (await exited) as [number | null]
    return code
  }
  return {
    url,
    lines,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    signal: (signal) => void child.kill(signal),
    async close() {
      await end('SIGKILL')
      await endDatabase(env)
    },
  }
}

/** Ends the embedded database that a service with these settings has left running. */
async function endDatabase({ STANDING_DATA_DIR: dataDir }: Env): Promise<void> {
  if (dataDir !== undefined && (await findEmbeddedDatabase(dataDir))) {
    await (await startEmbeddedDatabase({ dataDir })).stop()
  }
}

/** Programs read one stream and people the other; waits for both. */
function listening(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout || !child.stderr) {
      throw new Error('its output is not to be had')
    }
    let url = ''
    let greeting = ''
    const check = () => url !== '' && greeting.includes('Try:') && resolve(url)
    child.stderr.on('data', (text: Buffer) => {
      lines.push(text.toString())
      greeting += text.toString()
      check()
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      // What npm says is for people.
      if (!line.startsWith('{')) {
        return
      }
      const said = JSON.parse(line) as { msg?: string; url?: string }
      if (said.msg === 'listening' && said.url) {
        url = said.url
      }
      check()
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${lines.join('\n')}`)))
  })
}
