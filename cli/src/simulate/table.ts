/** Answers and totals for people. */
import type { Answer, Simulator } from './simulator.ts'

/** The columns, with the width that most of their cells need. */
const COLUMNS: readonly {
  readonly name: string
  readonly width: number
  readonly cell: (answer: Answer) => string
}[] = [
  { name: 'at', width: 24, cell: ({ at }) => at },
  { name: 'agent', width: 12, cell: ({ agent }) => agent },
  { name: 'score', width: 5, cell: ({ score }) => String(score).padStart(5) },
  { name: 'tier', width: 9, cell: ({ classification }) => classification },
  { name: 'confidence', width: 10, cell: ({ confidence }) => confidence },
  { name: '90 % within', width: 11, cell: ({ interval: { low, high } }) => `${low} to ${high}` },
  { name: 'disputed', width: 9, cell: disputedCell },
  { name: 'limit $', width: 9, cell: ({ exposureLimit }) => count(exposureLimit).padStart(9) },
  { name: 'accepted', width: 8, cell: ({ accepted }) => count(accepted).padStart(8) },
  { name: 'quarantined', width: 11, cell: ({ quarantined }) => count(quarantined).padStart(11) },
  { name: 'refused', width: 7, cell: ({ refused }) => count(refused).padStart(7) },
]

export function headOf(): string {
  return rowOf(COLUMNS.map(({ name }) => name))
}

export function answerRow(answer: Answer): string {
  return rowOf(COLUMNS.map(({ cell }) => cell(answer)))
}

function rowOf(cells: readonly string[]): string {
  return cells
    .map((cell, i) => cell.padEnd(COLUMNS[i]?.width ?? 0))
    .join('  ')
    .trimEnd()
}

/** Platforms for and against the agent, where they disagree. */
function disputedCell({ disputed }: Answer): string {
  const { isDisputed, platformsFor, platformsAgainst } = disputed
  return isDisputed ? `${platformsFor} : ${platformsAgainst}` : 'no'
}

export function some(value: number, what: string): string {
  return `${count(value)} ${what}${value === 1 ? '' : 's'}`
}

function count(value: number | null): string {
  return value === null ? '–' : value.toLocaleString('en-US')
}

/** What became of all events, with what quarantined or refused them, the most frequent first. */
export function summaryOf({ totals, participants }: Simulator): string {
  const { accepted, quarantined, refused, repeated } = totals
  const events = accepted + quarantined + refused + repeated
  const { agents, platforms } = participants
  return [
    `${some(events, 'event')} about ${some(agents, 'agent')} by ${some(platforms, 'platform')}: ` +
      `${count(accepted)} accepted, ${count(quarantined)} quarantined, ${count(refused)} refused` +
      (repeated > 0 ? `, ${count(repeated)} repeated` : ''),
    ...reasons('Quarantined by', totals.byRule),
    ...reasons('Refused by', totals.byReason),
  ].join('\n')
}

function reasons(title: string, counts: ReadonlyMap<string, number>): readonly string[] {
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${count(n)}`)
  return parts.length === 0 ? [] : [`${title}: ${parts.join(', ')}`]
}
