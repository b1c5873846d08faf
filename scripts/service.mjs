// The service in a process of its own, for programs that use it as its users do.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root } from './fresh.mjs'

/** Starts the service on an embedded database, without limits on rates, and waits until it listens. */
export async function startService(dataDir, settings = {}) {
  const service = spawn(process.execPath, ['scripts/standing.mjs', 'serve'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      STANDING_DATA_DIR: dataDir,
      STANDING_RATE_LIMITS: 'off',
      STANDING_SHUTDOWN_GRACE: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(service, 'exit')
  return {
    url: await listening(service),
    async end() {
      service.kill('SIGTERM')
      await exited
    },
  }
}

/** The address in the log line of a service's start. Lines of npm are no JSON. */
export async function listening(service) {
  for await (const line of createInterface({ input: service.stdout })) {
    const entry = line.startsWith('{') ? JSON.parse(line) : {}
    if (entry.msg === 'listening') {
      // What comes later must not fill the pipe.
      service.stdout.resume()
      return entry.url
    }
  }
  throw new Error('the service ended before it listened')
}
