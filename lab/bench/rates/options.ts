import { UserError } from '../../../src/lib/user-error.ts'
import { readOptions, wholeNumber } from '../../options.ts'

export interface Options {
  /** Rounds, each of which measures every pair once. */
  readonly rounds: number
  /** How long each side of a pair is measured in one round, in slices. */
  readonly roundMs: number
  /** How long each is asked before the first round, until its code is compiled. */
  readonly firstMs: number
  /** Connections that ask, and that insert: as many on both sides of every ratio. */
  readonly clients: number
  /** Where the rows are written as JSON: a file or the standard output. */
  readonly json: string | null
  /** The page whose section `rates` is replaced; null for none. */
  readonly page: string | null
  /** Only rows whose name contains it. */
  readonly only: string | null
  readonly profile: boolean
  /** Another service on this machine, and the file that says how it is asked; null for none. */
  readonly against: { readonly url: string; readonly mapping: string } | null
}

const USAGE = `npm run bench -- [--quick] [--json [FILE]] [--page FILE] [--only WORD] [--clients N] [--rounds N] [--no-profile]
npm run bench -- --against URL --mapping FILE [--quick] [--rounds N] [--round-ms N] [--json [FILE]]

Measures the service, in short turns, against what it is built on: raw node:http, bare INSERTs into
the same PostgreSQL, and a plain service that does one transaction an event. --page docs/benchmarks.md
writes the tables there. --against measures another service on this machine by a mapping
(docs/benchmarks.md).`

/** Quick takes five minutes, and its medians are good to about a tenth; the long way takes thirteen. */
const QUICK = { rounds: 3, roundMs: 1_500, firstMs: 2_000 }
const LONG = { rounds: 7, roundMs: 2_000, firstMs: 4_000 }

/** Enough that requests meet in the service, as they do where speed matters. */
export const CLIENTS = 64

export function parseOptions(args: readonly string[]): Options {
  const values = readOptions(
    USAGE,
    {
      quick: false,
      json: null,
      page: null,
      only: null,
      clients: CLIENTS,
      rounds: null,
      'round-ms': null,
      'no-profile': false,
      against: null,
      mapping: null,
    },
    args,
  )
  const length = values.quick ? QUICK : LONG
  return {
    ...length,
    rounds: values.rounds === null ? length.rounds : wholeNumber('rounds', values.rounds),
    roundMs:
      values['round-ms'] === null ? length.roundMs : wholeNumber('round-ms', values['round-ms']),
    clients: values.clients,
    json: values.json,
    page: values.page,
    only: values.only,
    profile: !values['no-profile'],
    against: againstOf(values),
  }
}

function againstOf({ against: url, mapping }: Record<'against' | 'mapping', string | null>) {
  if (url === null && mapping === null) {
    return null
  }
  if (url === null || mapping === null) {
    throw new UserError('--against URL and --mapping FILE go together.')
  }
  const port = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d+)\/?$/.exec(url)?.[1]
  if (port === undefined) {
    throw new UserError(
      '--against takes http://127.0.0.1:PORT of a service on this machine. Paths go into the mapping.',
    )
  }
  // The load connects to this address, where `localhost` may be another one.
  return { url: `http://127.0.0.1:${port}`, mapping }
}
