import { randomBytes } from 'node:crypto'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { type ServiceProcess, spawnService } from '../service-process.ts'

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
    PORT: String(port),
    STANDING_SHUTDOWN_GRACE: '0',
    STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'info',
    ...env,
  }
  let service: ServiceProcess | null = null
  let complaints: readonly string[] = []
  const onLine = (line: string) => {
    if (COMPLAINT.test(line)) {
      complaints = [...complaints, line.slice(0, LINE_MAX)].slice(-COMPLAINTS_MAX)
    }
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      service = spawnService({ settings, nodeArgs, onLine })
      await service.listening
    },
    pid: () => service?.pid ?? 0,
    complaints: () => complaints,
    end: async (signal) => service?.end(signal) ?? null,
  }
}
