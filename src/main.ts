import { setFlagsFromString } from 'node:v8'
import { pino } from 'pino'
import { givenToWorker, openCluster, reportListening } from './cluster.ts'
import { type Config, readConfig, settingsProblem } from './config.ts'
import type { Log } from './lib/log.ts'
import { createLogOutput } from './lib/log-output.ts'
import { USAGE_EXIT_CODE, UsageError } from './lib/user-error.ts'
import { openService, type Service } from './service.ts'
import { ignoredVariables } from './settings/spelling.ts'
import { SETTINGS } from './settings/table.ts'
import { explain } from './startup-errors.ts'

/**
 * The heap doubles between full collections, where V8 would let it grow fourfold. With 20,000 active agents, the
 * process takes 250 MB instead of 340 (`npm run bench:grow`), for some 4 % more processor time an event.
 */
const HEAP_GROWTH = '--heap-growing-percent=100'

/** The only place that reads the environment and ends the process. */
async function main(): Promise<void> {
  const args = process.argv.slice(2).filter((arg, i) => !(i === 0 && arg === 'serve'))
  if (args.includes('--help') || args.includes('-h')) {
    return void process.stdout.write(help())
  }
  setFlagsFromString(HEAP_GROWTH)
  const config = readConfig(environment(), args)
  const log = pino({ level: config.logLevel }, createLogOutput(process.stdout))
  // A person reads the banner; without one, or a disk to write it to, the service runs all the same.
  process.stderr.on('error', () => undefined)
  const worker = await givenToWorker()
  if (worker === null) {
    warnOfSettings(config, log)
  }
  const isFirst = worker === null && config.workers > 1
  const opening = isFirst ? openCluster(config, log) : openService(config, log, { worker })
  const stop = stopOnce((graceMs) => close(opening, log, graceMs))
  process.on('SIGTERM', () => stop(config.shutdownGraceMs))
  // A person at a terminal; no balancer has to notice.
  process.on('SIGINT', () => stop(0))
  const service = await opening
  if (worker !== null) {
    return reportListening(service)
  }
  // Programs wait for this line at every level. A person at a terminal has the banner.
  const listeningLog = isWatched() ? log : log.child({}, { level: 'info' })
  listeningLog.info(addresses(service), 'listening')
  printBanner(service)
}

/** A setting that has no effect, or is missing, is noticed late. */
function warnOfSettings(config: Config, log: Log): void {
  const problem = settingsProblem(config)
  if (problem !== null) {
    log.warn(problem)
  }
  for (const { name, meant } of ignoredVariables(process.env)) {
    log.warn({ variable: name, meant }, 'not a setting of this release, and ignored')
  }
}

/** On a terminal the log shows only warnings and errors, so that the banner stays visible. */
function environment(): NodeJS.ProcessEnv {
  return isWatched() ? { LOG_LEVEL: 'warn', ...process.env } : process.env
}

/** Whether a person reads what the process prints. */
function isWatched(): boolean {
  return process.stdout.isTTY && process.stderr.isTTY
}

/**
 * A signal so soon after the first one is the same signal: npm passes on what the terminal or systemd has
 * already sent to this process.
 */
const SAME_SIGNAL_MS = 1_000

/** A second signal does not wait for what the first one began. */
function stopOnce(stop: (graceMs: number) => Promise<void>): (graceMs: number) => void {
  let stoppingSince: number | null = null
  return (graceMs) => {
    const now = performance.now()
    if (stoppingSince !== null && now - stoppingSince > SAME_SIGNAL_MS) {
      process.exit(1)
    }
    if (stoppingSince !== null) {
      return
    }
    stoppingSince = now
    void stop(graceMs)
  }
}

/** One that is still being opened is opened first, and then closed: nothing of it stays behind. */
async function close(opening: Promise<Service>, log: Log, graceMs: number): Promise<void> {
  log.info('shutting down')
  const service = await opening
  process.exit((await service.close({ graceMs })) ? 0 : 1)
}

/** Programs that start the service connect to `url`, which the public address may not lead to yet. */
function addresses({ url, listensOn }: Service) {
  return url === listensOn ? { url } : { url: listensOn, publicUrl: url }
}

/** What a person needs to begin; programs read the line that says "listening". */
function printBanner({ url, listensOn, setupUrl }: Service): void {
  const lines = [
    '',
    `  Standing listens on ${listensOn}`,
    ...(listensOn === url ? [] : [`  Public address:     ${url}`]),
    `  Dashboard:          ${url}/`,
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
  const settings = SETTINGS.map(({ name, flag, value, help }) => {
    return `  --${`${flag} ${value}`.padEnd(26)} ${name.padEnd(34)} ${help}`
  })
  return `standing serve [options]

Runs the service, with the embedded PostgreSQL unless DATABASE_URL names another one.

Options, each also a variable of the environment:
${settings.join('\n')}

Example:
  standing serve --port 9000 --data-dir /var/lib/standing
`
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(error instanceof UsageError ? USAGE_EXIT_CODE : 1)
})
