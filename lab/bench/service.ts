import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface OurService {
  readonly url: string
  readonly port: number
  readonly pid: number
  end(): Promise<void>
}

export const OPERATOR_KEY = `avo_${'0'.repeat(38)}`

/** Set limits would end the run in its first second, so they are off; nothing else is. */
const ENV = {
  PORT: '0',
  STANDING_OPERATOR_KEY: OPERATOR_KEY,
  STANDING_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  STANDING_RATE_LIMITS: 'off',
}

/** The service as `npm start` runs it, in a process of its own, once it listens. */
export async function startService(
  root: string,
  databaseUrl: string,
  nodeArgs: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<OurService> {
  const child = spawn(
    process.execPath,
    [...nodeArgs, join(root, 'scripts/run.mjs'), 'src/main.ts'],
    {
      cwd: root,
      env: { PATH: process.env.PATH, ...ENV, DATABASE_URL: databaseUrl, ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const exited = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = JSON.parse(line) as { msg: string; url?: string }
      if (said.msg === 'listening') {
        resolve(said.url ?? '')
      } else if (said.msg.includes('failed')) {
        process.stderr.write(`${line}\n`)
      }
    })
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    async end() {
      child.kill('SIGTERM')
      await exited
      process.off('exit', kill)
    },
  }
}
