import { basename } from 'node:path'
import { UserError } from '../../../src/lib/user-error.ts'
import type { Option, Terminal } from '../command.ts'
import { OPERATOR_OPTIONS, operatorKeyOf } from '../operator.ts'
import { serviceUrl } from '../service-url.ts'

export interface ReplayOptions {
  readonly file: string
  readonly url: string
  readonly operatorKey: string
  readonly platformsMax: number
  /** Infinity: all events of an agent. */
  readonly history: number
  readonly future: number
  readonly eventsMax: number
  readonly concurrency: number
  readonly run: string
  readonly patienceMs: number
  readonly journal: string | undefined
  readonly json: string | undefined
}

const DEFAULTS = { platforms: 8, future: 100, concurrency: 16, patience: 30 } as const

export const REPLAY_OPTIONS = [
  {
    name: 'history',
    value: 'N',
    help: 'report the first N events of each agent; later ones are compared with (default all)',
  },
  {
    name: 'future',
    value: 'N',
    help: `how many later events of each agent to compare with (default ${DEFAULTS.future})`,
  },
  { name: 'events', value: 'N', help: 'report so many events in all (default all)' },
  {
    name: 'platforms',
    value: 'N',
    help: `map the platforms of the file onto so many (default ${DEFAULTS.platforms})`,
  },
  {
    name: 'concurrency',
    value: 'N',
    help: `agents to report on at the same time (default ${DEFAULTS.concurrency})`,
  },
  {
    name: 'run',
    value: 'NAME',
    help: 'name of the run; repeated under the same name, no event is counted twice',
  },
  {
    name: 'patience',
    value: 'SECONDS',
    help: `how long to retry while the service is unavailable (default ${DEFAULTS.patience})`,
  },
  { name: 'journal', value: 'FILE', help: 'append each acknowledged event, synced to disk' },
  { name: 'json', value: 'FILE', help: 'write the result there as JSON too' },
  ...OPERATOR_OPTIONS,
] as const satisfies readonly Option[]

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
    wholeNumber(`--${name}`, given[name], absent, min)
  return {
    file,
    url: serviceUrl(terminal, given),
    operatorKey: operatorKeyOf(terminal, given),
    run,
    platformsMax: count('platforms', DEFAULTS.platforms),
    history: count('history', Number.POSITIVE_INFINITY),
    future: count('future', DEFAULTS.future),
    eventsMax: count('events', Number.POSITIVE_INFINITY),
    concurrency: count('concurrency', DEFAULTS.concurrency),
    patienceMs: count('patience', DEFAULTS.patience, 0) * 1000,
    journal: given.journal,
    json: given.json,
  }
}

function wholeNumber(name: string, text: string | undefined, absent: number, min: number): number {
  if (text === undefined) {
    return absent
  }
  const value = Number(text)
  if (/^\d{1,9}$/.test(text) && value >= min) {
    return value
  }
  throw new UserError(`${name} must be a whole number of at least ${min}, not ${text}.`)
}

/** `swe-bench-verified-20260615T110000`. */
function defaultRun(file: string, now: Date): string {
  const name = basename(file)
    .replace(/\.jsonl?(\.gz)?$/, '')
    .replace(/[^A-Za-z0-9.-]+/g, '-')
  const time = now.toISOString().replace(/[-:]|\..*/g, '')
  return `${name.replace(/^[^A-Za-z0-9]+/, '').slice(0, 30) || 'replay'}-${time}`
}
