import { basename } from 'node:path'
import { UserError } from '../../../src/lib/user-error.ts'
import { operatorKeyOf, serviceUrl } from '../clients.ts'
import type { Terminal } from '../command.ts'
import { fetchOf, type HttpFetch } from '../http/fetch.ts'
import { countOf } from '../output.ts'
import { REPLAY_DEFAULTS, type REPLAY_OPTIONS } from '../table/replay.ts'

export interface ReplayOptions {
  readonly file: string
  readonly url: string
  readonly operatorKey: string
  readonly fetch: HttpFetch
  readonly platformsMax: number
  /** Infinity: all events of an agent. */
  readonly history: number
  readonly future: number
  readonly eventsMax: number
  readonly concurrency: number
  readonly run: string
  readonly patienceMs: number
  readonly journal: string | undefined
  /** A file for the result as JSON. */
  readonly output: string | undefined
}

type Given = Readonly<Partial<Record<(typeof REPLAY_OPTIONS)[number]['name'], string>>>

/** External ids, of 100 characters at most, begin with it. */
const RUN_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$/

/** @throws UserError that names the option which is wrong */
export function replayOptions(
  file: string,
  terminal: Terminal,
  given: Given,
  now: Date,
): ReplayOptions {
  const run = given.run ?? defaultRun(file, now)
  if (!RUN_FORM.test(run)) {
    throw new UserError('--run must be 1 to 48 letters, digits, dots, dashes or underscores.')
  }
  const count = (name: keyof Given, absent: number, min = 1) =>
    given[name] === undefined ? absent : countOf(`--${name}`, given[name], min)
  return {
    file,
    url: serviceUrl(terminal, given),
    operatorKey: operatorKeyOf(terminal, given),
    fetch: fetchOf(terminal),
    run,
    platformsMax: count('platforms', REPLAY_DEFAULTS.platforms),
    history: count('history', Number.POSITIVE_INFINITY),
    future: count('future', REPLAY_DEFAULTS.future),
    eventsMax: count('events', Number.POSITIVE_INFINITY),
    concurrency: count('concurrency', REPLAY_DEFAULTS.concurrency),
    patienceMs: count('patience', REPLAY_DEFAULTS.patience, 0) * 1000,
    journal: given.journal,
    output: given.output,
  }
}

/** `swe-bench-verified-20260615T110000`. */
function defaultRun(file: string, now: Date): string {
  const name = basename(file)
    .replace(/\.jsonl?(\.gz)?$/, '')
    .replace(/[^A-Za-z0-9.-]+/g, '-')
  const time = now.toISOString().replace(/[-:]|\..*/g, '')
  return `${name.replace(/^[^A-Za-z0-9]+/, '').slice(0, 30) || 'replay'}-${time}`
}
