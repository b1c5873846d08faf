import { type ProcessOptions, spawnService } from '../service-process.ts'

export interface OurService {
  readonly url: string
  readonly port: number
  readonly pid: number
  end(): Promise<void>
}

const SETTINGS = {
  PORT: '0',
  STANDING_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
}

/** The service on a database, once it listens. What fails in it is shown. */
export async function startService(
  databaseUrl: string,
  { settings = {}, nodeArgs = [] }: Partial<Omit<ProcessOptions, 'onLine'>> = {},
): Promise<OurService> {
  const service = spawnService({
    settings: { ...SETTINGS, DATABASE_URL: databaseUrl, ...settings },
    nodeArgs,
    onLine: showFailure,
  })
  const url = await service.listening
  return {
    url,
    port: Number(new URL(url).port),
    pid: service.pid,
    async end() {
      await service.end('SIGTERM')
    },
  }
}

function showFailure(line: string): void {
  const { msg } = JSON.parse(line) as { readonly msg: string }
  if (msg.includes('failed')) {
    process.stderr.write(`${line}\n`)
  }
}
