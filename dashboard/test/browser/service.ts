import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface FreshService {
  readonly url: string
  /** The path of the link that makes the operator's first key. */
  readonly setupPath: string
  close(): Promise<void>
}

/** The service as anyone starts it: a process of its own, nothing in its database. */
export async function startService(
  env: Readonly<Record<string, string>> = {},
): Promise<FreshService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'standing-browser-'))
  const child = spawn(process.execPath, ['scripts/run.mjs', 'src/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      STANDING_DATA_DIR: dataDir,
      STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let said = ''
  const setupPath = new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString()
      const link = /\/setup\?token=[\w-]+/.exec(said)?.[0]
      if (link) {
        resolve(link)
      }
    })
    exited.then(([code]) => reject(new Error(`the service ended with ${code}:\n${said}`)), reject)
  })
  const url = await listening(child.stdout)
  return {
    url,
    setupPath: await setupPath,
    async close() {
      child.kill('SIGTERM')
      await exited
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function listening(output: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: output })
  for await (const line of lines) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string }
    // Nobody reads further: what comes later must not fill the pipe.
    output.resume()
    if (msg === 'listening' && url) {
      return url
    }
  }
  throw new Error('the service ended before it listened')
}
