import { dateTime, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import type { HistoryPoint } from './load.ts'

/** Every point of the chart, newest first. */
export function HistoryTable({ points }: { points: readonly HistoryPoint[] }) {
  const { history: texts, eventTypes } = t.value
  return (
    <table class="compact twin">
      <thead>
        <tr>
          <th scope="col">{texts.time}</th>
          <th scope="col" class="number">
            {texts.score}
          </th>
          <th scope="col">{texts.cause}</th>
        </tr>
      </thead>
      <tbody>
        {[...points].reverse().map(({ at, score, snapshot }) => (
          <tr key={`${at}${snapshot?.id}`}>
            <td>{dateTime(at)}</td>
            <td class="number">{number(score)}</td>
            <td>
              {snapshot &&
                `${texts.causes[snapshot.trigger.kind]}: ${eventTypes[snapshot.trigger.type]}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
