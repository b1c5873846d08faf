import { pino } from 'pino'
import { ConfigError, readConfig, SETTINGS } from './config.ts'
import { EmbeddedError } from './embedded/index.ts'
import type { Log } from './log.ts'
import { openService, type Service } from './service.ts'

/** The only place that reads the environment and ends the process. */
async function main(): Promise<void> {
  const args = process.argv.slice(2).filter((arg, i) => !(i === 0 && arg === 'serve'))
  if (args.includes('--help')) return void process.stdout.write(help())
  const config = readConfig(process.env, args)
  const log = pino({ level: config.logLevel }, pino.destination({ sync: true }))
  const service = await openService(config, log)
  log.info({ url: service.url }, 'listening')
  greet(service)
  const stop = once(() => close(service, log))
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** The second signal does not wait for what the first one began. */
function once(stop: () => Promise<void>): () => void {
  let stopping = false
  return () => {
    if (stopping) process.exit(1)
    stopping = true
    void stop()
  }
}

async function close(service: Service, log: Log): Promise<void> {
  log.info('shutting down')
  try {
    await service.close()
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'shutting down failed')
    process.exit(1)
  }
}

/** What a person needs to begin; programs read the line that says "listening". */
function greet({ url, setupUrl }: Service): void {
  const lines = [
    '',
    `  Standing listens on ${url}`,
    ...(setupUrl ? [`  Set it up (once):   ${setupUrl}`] : []),
    '',
    '  Try:',
    `    curl -s ${url}/v1/auth/register -H 'content-type: application/json' \\`,
    `      -d '{"email":"ada@example.com","password":"correct horse battery staple"}'`,
    '',
  ]
  process.stderr.write(`${lines.join('\n')}\n`)
}

function help(): string {
  const settings = SETTINGS.map(({ name, flag, help }) => {
    return `  --${flag.padEnd(26)} ${name.padEnd(34)} ${help}`
  })
  return `standing serve [options]\n\nOptions, each also a variable of the environment:\n${settings.join('\n')}\n`
}

/** What went wrong at the start, in words; anything that is not expected with its stack. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof EmbeddedError) return error.message
  if (!(error instanceof Error)) return String(error)
  const { code, port, address } = error as Error & {
    code?: string
    port?: number
    address?: string
  }
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${address} is taken. Set PORT to another, or to 0 for a free one.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be opened by this user. Set PORT to one from 1024 on.`
  return error.stack ?? error.message
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
})
