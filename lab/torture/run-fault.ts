import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chanceOf } from '../../src/domain/testing/chance.ts'
import { pause } from '../../src/lib/pause.ts'
import { check, type Verdict } from './check.ts'
import type { Fault, Prepared } from './fault.ts'
import { type Entry, openLedger, readLedger } from './ledger.ts'
import { type Load, startLoad } from './load.ts'
import { NOTHING, type Row } from './row.ts'
import { openStage, type Stage } from './stage.ts'

export interface RunOptions {
  /** How often the fault happens. */
  readonly rounds: number
  readonly seed: number
  /** Reports acknowledged before each round. */
  readonly between: number
  readonly workers: number
  /** Ends the run; what was set up is taken away all the same. */
  readonly signal: AbortSignal
}

interface Numbered extends RunOptions {
  readonly firstN: number
}

/** A service that has acknowledged this many has recovered. */
const RECOVERED_AFTER = 20

/** Reports of one fault on a stage; their numbers distinguish those of several faults. */
const NUMBERS = 1_000_000

/**
 * For how long no webhook may arrive while some are missing. Those about one agent are sent in their order,
 * and those that a killed node had begun after some seconds. Less than a claim lasts, so that a claim that is
 * never released is found.
 */
const NONE_ARRIVED_MAX_MS = 110_000

/**
 * One fault after the other; those that happen to three nodes share them. A fault that the service does not
 * get over is a row with a problem, and ends the stage.
 */
export async function runFaults(
  faults: readonly Fault[],
  options: RunOptions,
  onRow: (row: Row) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let shared: Stage | null = null
  try {
    for (const [i, fault] of faults.entries()) {
      options.signal.throwIfAborted()
      const skipped = fault.impossible?.() ?? null
      const numbered = { ...options, firstN: i * NUMBERS + 1 }
      try {
        if (skipped !== null) {
          rows.push({ ...NOTHING, fault: fault.name, skipped })
        } else if (fault.prepare) {
          rows.push(await alone(fault, await fault.prepare(), numbered))
        } else {
          shared ??= await openStage({ nodes: 'three' })
          rows.push(await torture(fault, shared, numbered))
        }
      } catch (error) {
        rows.push({ ...NOTHING, fault: fault.name, problems: [shown(error)] })
        await shared?.close()
        shared = null
      }
      onRow(rows.at(-1) ?? { ...NOTHING, fault: fault.name })
    }
  } finally {
    await shared?.close()
  }
  return rows
}

function shown(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function alone(fault: Fault, prepared: Prepared, options: Numbered): Promise<Row> {
  try {
    const stage = await openStage(prepared.stage)
    try {
      return await torture(fault, stage, options)
    } finally {
      await stage.close()
    }
  } finally {
    await prepared.remove?.()
  }
}

async function torture(fault: Fault, stage: Stage, options: Numbered): Promise<Row> {
  // The ledger is on another disk than the data that a fault may fill or take away.
  const dir = await mkdtemp(join(tmpdir(), 'standing-ledger-'))
  const path = join(dir, 'ledger.jsonl')
  const ledger = await openLedger(path)
  try {
    const load = startLoad({
      ledger,
      urls: stage.nodes.map(({ url }) => url),
      apiKey: stage.apiKey,
      agentIds: stage.agentIds.slice(0, fault.agents),
      workers: options.workers,
      firstN: options.firstN,
    })
    const struck = strikeAll(fault, stage, load, options)
    const recoveryMs = await unlessAborted(struck, options.signal).catch((error: unknown) => {
      load.abandon()
      throw error
    })
    const { retried, faults, unknown } = await load.stop()
    const verdict = await judge(stage, readLedger(path), options)
    const unsettled = unknown > 0 ? [`${unknown} reports have no outcome`] : []
    const { lost, doubled, mismatched } = verdict
    return {
      fault: fault.name,
      acknowledged: verdict.acknowledged,
      lost: lost.length,
      doubled: doubled.length,
      mismatched: mismatched.length,
      rounds: options.rounds,
      retried,
      faults: faults.length,
      recoveryMs: Math.round(recoveryMs),
      skipped: null,
      problems: [...lost, ...doubled, ...mismatched, ...faults, ...unsettled],
    }
  } finally {
    await ledger.close()
    await rm(dir, { recursive: true })
  }
}

/** The outcome of the work, or the reason why it was interrupted. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The longest time from the end of a fault until the service had recovered. */
async function strikeAll(
  fault: Fault,
  stage: Stage,
  load: Load,
  { seed, rounds, between }: RunOptions,
): Promise<number> {
  const random = chanceOf(seed)
  let recoveryMs = 0
  for (let round = 0; round < rounds; round++) {
    await load.more(Math.ceil(between * (0.5 + random())))
    await fault.strike({ stage, load, round, random })
    const from = performance.now()
    await load.more(RECOVERED_AFTER)
    recoveryMs = Math.max(recoveryMs, performance.now() - from)
  }
  return recoveryMs
}

async function judge(
  stage: Stage,
  entries: readonly Entry[],
  { firstN }: Numbered,
): Promise<Verdict> {
  const { agentIds, isDelivered } = stage
  let missing = entries.flatMap(({ ids }) => ids)
  let arrivedAt = performance.now()
  while (missing.length > 0 && performance.now() - arrivedAt < NONE_ARRIVED_MAX_MS) {
    await pause(100)
    const left = missing.filter((id) => !isDelivered(id))
    arrivedAt = left.length < missing.length ? performance.now() : arrivedAt
    missing = left
  }
  const pool = await stage.connect()
  try {
    const numbers = [firstN, firstN + NUMBERS] as const
    return await check(pool, entries, { agentIds, numbers, isDelivered })
  } finally {
    await pool.end()
  }
}
