import type { markdown, plain, Table } from '../../report.ts'
import type { Profile } from './profile.ts'
import type { Row, Summary } from './rows.ts'

/** The columns of the rows. */
export const RATIOS = ['ours : anchor', 'ours/s', 'anchor/s', 'ratio', 'min..max', 'wanted']
export const AGAINST = ['load, connections', 'ours/s', 'theirs/s', 'ratio', 'min..max']

export function rowsTable(rows: readonly Row[], head: readonly string[]): Table {
  const cells = rows.map(({ name, ours, anchor, ratio, target, runs }) => {
    const ratios = runs.map((run) => run.ratio)
    const range = `${short(Math.min(...ratios))}..${short(Math.max(...ratios))}`
    return [name, whole(ours), whole(anchor), short(ratio), range, target ? short(target) : '']
  })
  return { head, rows: cells.map((row) => row.slice(0, head.length)) }
}

export function summariesTable(summaries: readonly Summary[]): Table {
  const us = (value: number) => (Number.isNaN(value) ? '' : value.toFixed(1))
  return {
    head: ['contender', 'per second', 'p50 ms', 'p99 ms', 'its process us', 'PostgreSQL us'],
    rows: summaries.map(({ name, perSecond, p50Ms, p99Ms, costUs }) => [
      name,
      whole(perSecond),
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      us(costUs.process),
      us(costUs.postgres),
    ]),
  }
}

export function profileTable({ of, modules, functions }: Profile): Table {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return {
    head: [`${of}: by module`, '', `${of}: by function, itself alone`, ''],
    rows: modules.map((module, i) => {
      const one = functions[i]
      return [
        module.name,
        percent(module.share),
        one?.name ?? '',
        one === undefined ? '' : percent(one.share),
      ]
    }),
  }
}

function short(value: number): string {
  return value.toFixed(2)
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-GB')
}

/** All tables one below the other, for a terminal or for a page. */
export function joined(tables: readonly Table[], as: typeof plain | typeof markdown): string {
  return tables.map(as).join('\n\n')
}
