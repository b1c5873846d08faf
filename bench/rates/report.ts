import type { Profile } from './profile.ts'
import type { Row, Summary } from './rows.ts'

export function rowsTable(rows: readonly Row[]): string {
  return table(
    ['ratio of medians over the rounds', 'ours/s', 'anchor/s', 'ratio', 'min..max', 'wanted'],
    rows.map(({ name, ours, anchor, ratio, target, runs }) => {
      const ratios = runs.map((run) => run.ratio)
      const range = `${short(Math.min(...ratios))}..${short(Math.max(...ratios))}`
      return [name, whole(ours), whole(anchor), short(ratio), range, target ? short(target) : '']
    }),
  )
}

export function summariesTable(summaries: readonly Summary[]): string {
  return table(
    ['contender', 'per second', 'p50 ms', 'p99 ms', 'its process us', 'PostgreSQL us'],
    summaries.map(({ name, perSecond, p50Ms, p99Ms, processUs, postgresUs }) => [
      name,
      whole(perSecond),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      processUs === null ? '' : processUs.toFixed(1),
      postgresUs === null ? '' : postgresUs.toFixed(1),
    ]),
  )
}

export function profileTable({ of, modules, functions }: Profile): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return table(
    [`${of}: by module`, '', `${of}: by function, itself alone`, ''],
    modules.map((module, i) => {
      const one = functions[i]
      return [
        module.name,
        percent(module.share),
        one?.name ?? '',
        one === undefined ? '' : percent(one.share),
      ]
    }),
  )
}

function short(value: number): string {
  return value.toFixed(2)
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

/** Words to the left, figures to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const isFigure = head.map((_, column) =>
    rows.some((row) => /^[\d.,]+( %)?$/.test(row[column] ?? '')),
  )
  const lines = all.map((row) =>
    row
      .map((cell, i) => (isFigure[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}
