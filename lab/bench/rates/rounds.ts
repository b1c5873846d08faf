import { readdirSync, readFileSync } from 'node:fs'
import type { ContenderName, Contenders } from './contenders.ts'
import type { Figure } from './load.ts'
import type { Options } from './options.ts'

/** One contender in one round, and what it cost in processor time. */
export interface Run extends Figure {
  /** Microseconds of processor time for each thing done; null where it cannot be measured. */
  readonly costUs: { readonly process: number | null; readonly postgres: number | null }
}

export type Runs = Readonly<Partial<Record<ContenderName, readonly Run[]>>>

/**
 * Measures all contenders in turn, each round in the reverse order of the one before, so that other load on
 * the machine and what earlier runs leave behind affect all of them alike.
 */
export async function runRounds(
  contenders: Contenders,
  names: readonly ContenderName[],
  { rounds, roundMs, firstMs }: Options,
  postgresPid: number,
  onRun: (name: ContenderName, run: Run) => void,
): Promise<Runs> {
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]]))
  for (const name of names) {
    await contenders[name].run(firstMs)
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const run = await runOnce(contenders[name], postgresPid, roundMs)
      runs[name]?.push(run)
      onRun(name, run)
    }
  }
  return runs
}

async function runOnce(
  { pid, run }: Contenders[ContenderName],
  postgresPid: number,
  ms: number,
): Promise<Run> {
  const before = [pid && cpuUs(pid), familyUs(postgresPid)] as const
  const figure = await run(ms)
  const each = (from: number | null, to: number | null) =>
    from === null || to === null ? null : (to - from) / figure.total
  return {
    ...figure,
    costUs: {
      process: each(before[0], pid && cpuUs(pid)),
      postgres: each(before[1], familyUs(postgresPid)),
    },
  }
}

/** The kernel counts processor time in hundredths of a second. */
const TICK_US = 10_000

/** Processor time that a process has used; null where there is no /proc. */
export function cpuUs(pid: number | string): number | null {
  const fields = statOf(pid)
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/** Of a process, its children, and those of them that have ended. */
export function familyUs(pid: number): number | null {
  const parent = statOf(pid)
  if (!parent) {
    return null
  }
  const children = readdirSync('/proc').filter((name) => statOf(name)?.[1] === String(pid))
  const ended = (Number(parent[13]) + Number(parent[14])) * TICK_US
  return children.reduce((sum, child) => sum + (cpuUs(child) ?? 0), ended + (cpuUs(pid) ?? 0))
}

/** The fields behind the process's name: its state first, then its parent. */
function statOf(pid: number | string): readonly string[] | null {
  if (!/^\d+$/.test(String(pid))) {
    return null
  }
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return null
  }
}
