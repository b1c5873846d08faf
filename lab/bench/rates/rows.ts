import { median } from '../../statistics.ts'
import type { Contender, ContenderName } from './contenders.ts'
import { type Measured, type Pair, type Run, SIDES } from './rounds.ts'

export interface Comparison extends Pick<Pair, 'name' | 'target'> {
  readonly ours: ContenderName
  readonly anchor: ContenderName
}

export const COMPARISONS: readonly Comparison[] = [
  { name: 'score read : raw node:http', ours: 'read', anchor: 'rawRead', target: 0.75 },
  {
    name: 'score read with a key : raw node:http',
    ours: 'readWithKey',
    anchor: 'rawRead',
    target: 0.6,
  },
  {
    name: 'scores in batches of 100 : one score a request',
    ours: 'readMany',
    anchor: 'read',
    target: null,
  },
  { name: 'lookup by identifier : score read', ours: 'lookup', anchor: 'read', target: 0.8 },
  { name: 'decision by identifier : score read', ours: 'decision', anchor: 'read', target: null },
  { name: 'gate by identifier : score read', ours: 'gate', anchor: 'read', target: null },
  // Its p99 below is that of a proxy's one connection on an idle service: the bound is 5 ms.
  {
    name: 'gate on one connection : score read',
    ours: 'gateAlone',
    anchor: 'read',
    target: null,
  },
  { name: 'one event a request : bare INSERTs', ours: 'event', anchor: 'insert', target: 0.45 },
  {
    name: 'one event, Idempotency-Key : bare INSERTs',
    ours: 'eventOnce',
    anchor: 'insert',
    target: 0.35,
  },
  {
    name: 'one event on one connection : bare INSERTs on one',
    ours: 'eventAlone',
    anchor: 'insertAlone',
    target: null,
  },
  { name: 'batches of 100 : bare INSERTs', ours: 'batch', anchor: 'insert', target: 1.5 },
  {
    name: 'batches of 100 : INSERTs of 100 rows',
    ours: 'batch',
    anchor: 'insertMany',
    target: 0.3,
  },
  { name: 'score read : plain service', ours: 'read', anchor: 'plainRead', target: 5 },
  { name: 'one event a request : plain service', ours: 'event', anchor: 'plainEvent', target: 5 },
]

/** One pair as it came out. Rates are a second's, of requests or of events. */
export interface Row {
  readonly name: string
  /** Medians of the rounds; the ratio is that of each round's ratio. */
  readonly ours: number
  readonly anchor: number
  readonly ratio: number
  readonly target: number | null
  readonly runs: readonly {
    readonly ours: number
    readonly anchor: number
    readonly ratio: number
  }[]
}

export function rowOf({ pair: { name, target }, rounds }: Measured): Row {
  const runs = rounds.map(({ ours, anchor }) => ({
    ours: ours.perSecond,
    anchor: anchor.perSecond,
    ratio: ours.perSecond / anchor.perSecond,
  }))
  return {
    name,
    ours: median(runs.map((run) => run.ours)),
    anchor: median(runs.map((run) => run.anchor)),
    ratio: median(runs.map((run) => run.ratio)),
    target,
    runs,
  }
}

/** What one contender did, in the middle of the rounds of all its pairs. */
export interface Summary extends Run {
  readonly name: string
}

/** The runs of a contender in all pairs that it belongs to. */
export function runsOf(contender: Contender, measured: readonly Measured[]): readonly Run[] {
  return measured.flatMap(({ pair, rounds }) =>
    SIDES.filter((side) => pair[side] === contender).flatMap((side) =>
      rounds.map((round) => round[side]),
    ),
  )
}

export function summaryOf(name: string, runs: readonly Run[]): Summary {
  const middle = (value: (run: Run) => number) => median(runs.map(value))
  return {
    name,
    perSecond: middle((run) => run.perSecond),
    p50Ms: middle((run) => run.p50Ms),
    p99Ms: middle((run) => run.p99Ms),
    costUs: {
      process: middle((run) => run.costUs.process),
      postgres: middle((run) => run.costUs.postgres),
    },
  }
}
