import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultUrl } from '../service-url.ts'
import { ReplayError } from './error.ts'

export interface ReplayOptions {
  readonly file: string
  readonly url: string
  readonly operatorKey: string
  readonly platformsMax: number
  /** Infinity where not given: all of them. */
  readonly history: number
  readonly future: number
  readonly eventsMax: number
  readonly concurrency: number
  readonly run: string
  readonly patienceMs: number
  readonly journal: string | undefined
  readonly json: string | undefined
}

export const USAGE = `npm run replay -- FILE [options]

Reports a stream of events (JSON lines, plain or gzipped) to a running service, then sets the scores
beside what came later. A line is { agent, platform, t, type, data, good } or { agent, outcome }.

  --url URL             where the service is           $STANDING_URL, or http://127.0.0.1:8080
  --operator-key KEY    avo_…                          $STANDING_OPERATOR_KEY
  --platforms MAX       map the stream's platforms onto so many of ours      8
  --history N           report the first N events of each agent; the rest is its future   all
  --future M            how many later events are its true success         100
  --events MAX          report so many events in all                       all
  --concurrency N       agents reported on at once                          16
  --run NAME            a repeat under the same name doubles nothing       the file's name and the time
  --patience SECONDS    how long to keep trying while the service is away   30
  --journal FILE        append each acknowledged event, synced to disk
  --json FILE           write the result there as well

Example:
  npm run replay -- events.jsonl.gz --history 400
`

/** What to do where there is no operator key. */
export const NO_OPERATOR_KEY = `A replay reports as platforms of its own, which only the operator may create. Do this:

  1. choose a key:           export STANDING_OPERATOR_KEY=avo_$(openssl rand -hex 24)
  2. run the service with it:  npm start
  3. replay with the same:     npm run replay -- FILE   (or --operator-key avo_…)
`

/** Its external ids, of 100 characters at most, begin with it. */
const RUN_FORM = /^[A-Za-z0-9][A-Za-z0-9._-]{0,47}$/

/** @throws ReplayError that says which option is wrong, and how */
export function parseOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  now: Date,
): ReplayOptions {
  const { values, positionals } = parse(args)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) {
    throw new ReplayError(`Give one file.\n\n${USAGE}`)
  }
  const operatorKey = values['operator-key'] ?? env.STANDING_OPERATOR_KEY
  if (!operatorKey) {
    throw new ReplayError(NO_OPERATOR_KEY)
  }
  const run = values.run ?? defaultRun(file, now)
  if (!RUN_FORM.test(run)) {
    throw new ReplayError('--run is 1 to 48 letters, digits, dots, dashes or underscores')
  }
  const url = values.url ?? defaultUrl(env)
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new ReplayError(`--url ${url} is not an http address`)
  }
  return {
    file,
    url,
    operatorKey,
    run,
    platformsMax: whole('platforms', values.platforms, 8),
    history: whole('history', values.history, Number.POSITIVE_INFINITY),
    future: whole('future', values.future, 100),
    eventsMax: whole('events', values.events, Number.POSITIVE_INFINITY),
    concurrency: whole('concurrency', values.concurrency, 16),
    patienceMs: whole('patience', values.patience, 30, 0) * 1000,
    journal: values.journal,
    json: values.json,
  }
}

const STRING = { type: 'string' } as const

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: STRING,
        'operator-key': STRING,
        platforms: STRING,
        history: STRING,
        future: STRING,
        events: STRING,
        concurrency: STRING,
        run: STRING,
        patience: STRING,
        journal: STRING,
        json: STRING,
      },
    })
  } catch (error) {
    throw new ReplayError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}

function whole(name: string, text: string | undefined, preset: number, min = 1): number {
  if (text === undefined) {
    return preset
  }
  const value = Number(text)
  if (/^\d{1,9}$/.test(text) && value >= min) {
    return value
  }
  throw new ReplayError(`--${name} ${text} is not a whole number of at least ${min}`)
}

/** `swe-bench-verified-20260615T110000`. */
function defaultRun(file: string, now: Date): string {
  const name = basename(file)
    .replace(/\.jsonl?(\.gz)?$/, '')
    .replace(/[^A-Za-z0-9.-]+/g, '-')
  const time = now.toISOString().replace(/[-:]|\..*/g, '')
  return `${name.replace(/^[^A-Za-z0-9]+/, '').slice(0, 30) || 'replay'}-${time}`
}
