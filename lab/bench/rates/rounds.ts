import { cpuUs, familyUs } from '../../processes.ts'
import { quantile } from '../../statistics.ts'
import type { Contender } from './contenders.ts'
import type { Figure } from './load.ts'
import type { Options } from './options.ts'

/** Two contenders, for the ratio of one to the other. */
export interface Pair {
  readonly name: string
  readonly ours: Contender
  readonly anchor: Contender
  /** The ratio that is wanted; null where it is only for information. */
  readonly target: number | null
}

/** A pair and what came of each of its rounds. */
export interface Measured {
  readonly pair: Pair
  readonly rounds: readonly Round[]
}

export interface Round {
  readonly ours: Run
  readonly anchor: Run
}

/** What one side did in the slices of a round. */
export interface Run {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Microseconds of processor time for each thing done; NaN where it cannot be measured. */
  readonly costUs: Cost
}

/** Processor time of the process that answers and of PostgreSQL. */
interface Cost {
  readonly process: number
  readonly postgres: number
}

interface Slice extends Figure {
  readonly usedUs: Cost
}

/**
 * Both sides of a pair take turns in slices of this length, each time in the reverse order: the speed of a
 * virtual machine may change by a factor of two within tens of seconds.
 */
const SLICE_MS = 500

/** At the start of a slice, until every connection is open and what the other side left is done. */
export const SLICE_WARM_MS = 100

/** Before the first slices of a pair. After events, every score is read from the database once. */
const PAIR_WARM_MS = 500

export const SIDES = ['ours', 'anchor'] as const

/**
 * Measures all pairs one after the other, each round in the reverse order of the one before, so that what
 * earlier loads leave behind affects all of them alike.
 */
export async function runRounds(
  pairs: readonly Pair[],
  { rounds: count, roundMs, firstMs }: Pick<Options, 'rounds' | 'roundMs' | 'firstMs'>,
  postgresPid: number,
  onRound: (pair: Pair, round: Round) => void,
): Promise<readonly Measured[]> {
  for (const contender of new Set(pairs.flatMap((pair) => SIDES.map((side) => pair[side])))) {
    await contender.run(firstMs)
  }
  const measured = pairs.map((pair) => ({ pair, rounds: [] as Round[] }))
  for (let i = 0; i < count; i++) {
    for (const { pair, rounds } of i % 2 === 0 ? measured : measured.toReversed()) {
      const round = await runRound(pair, roundMs, postgresPid)
      rounds.push(round)
      onRound(pair, round)
    }
  }
  return measured
}

async function runRound(pair: Pair, roundMs: number, postgresPid: number): Promise<Round> {
  const slices = { ours: [] as Slice[], anchor: [] as Slice[] }
  for (const side of SIDES) {
    await pair[side].run(PAIR_WARM_MS)
  }
  for (let i = 0; i * SLICE_MS < roundMs; i++) {
    for (const side of i % 2 === 0 ? SIDES : SIDES.toReversed()) {
      slices[side].push(await runSlice(pair[side], postgresPid))
    }
  }
  return { ours: runOf(slices.ours), anchor: runOf(slices.anchor) }
}

async function runSlice({ pid, run }: Contender, postgresPid: number): Promise<Slice> {
  const used = () => ({
    process: (pid && cpuUs(pid)) ?? Number.NaN,
    postgres: familyUs(postgresPid) ?? Number.NaN,
  })
  const before = used()
  const figure = await run(SLICE_MS)
  const after = used()
  return {
    ...figure,
    usedUs: {
      process: after.process - before.process,
      postgres: after.postgres - before.postgres,
    },
  }
}

function runOf(slices: readonly Slice[]): Run {
  const sum = (of: (slice: Slice) => number) => slices.reduce((all, one) => all + of(one), 0)
  const total = sum((slice) => slice.total)
  const tookMs = slices.flatMap((slice) => [...slice.tookMs]).sort((a, b) => a - b)
  return {
    perSecond: sum((slice) => slice.perSecond) / slices.length,
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    costUs: {
      process: sum(({ usedUs }) => usedUs.process) / total,
      postgres: sum(({ usedUs }) => usedUs.postgres) / total,
    },
  }
}
