import { dateTime, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Table } from '../../../ui/table.tsx'
import type { HistoryPoint } from './load.ts'

/** Every point of the chart at which something is other than before, newest first. */
export function HistoryTable({ points }: { points: readonly HistoryPoint[] }) {
  const { history: texts, eventTypes } = t.value
  return (
    <Table
      class="compact twin"
      columns={[texts.time, { number: texts.score }, { number: texts.interval }, texts.cause]}
    >
      {points
        .filter(isNews)
        .reverse()
        .map(({ at, score, interval, trigger }) => (
          <tr key={`${at}${trigger?.type}`}>
            <td>{dateTime(at)}</td>
            <td class="number">{score !== null && number(score)}</td>
            <td class="number">{interval && `${number(interval.low)}–${number(interval.high)}`}</td>
            <td>{trigger && `${texts.causes[trigger.kind]}: ${eventTypes[trigger.type]}`}</td>
          </tr>
        ))}
    </Table>
  )
}

function isNews(point: HistoryPoint, i: number, points: readonly HistoryPoint[]): boolean {
  const before = points[i - 1]
  return (
    point.trigger !== null ||
    before === undefined ||
    point.score !== before.score ||
    point.interval?.low !== before.interval?.low ||
    point.interval?.high !== before.interval?.high
  )
}
