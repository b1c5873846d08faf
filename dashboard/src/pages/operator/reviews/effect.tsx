import { useResource } from '../../../api/resource.ts'
import { quarantinedScore } from '../../../api/scores.ts'
import type { QuarantinedScore, ReviewItem, Score } from '../../../api/types.ts'
import { number, signed } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Scale, TierScore } from '../../../ui/score.tsx'
import { Loaded } from '../../../ui/states.tsx'

/** The score now, and as it would be with the quarantined events of the agent. */
export function Effect({ item: { agentId } }: { item: ReviewItem }) {
  const { reviews: texts } = t.value
  const quarantined = useResource(`quarantined:${agentId}`, (signal) =>
    quarantinedScore(agentId, signal),
  )
  return (
    <section>
      <h3>{texts.effectTitle}</h3>
      <Loaded of={quarantined} rows={2}>
        {(data) => <BeforeAndAfter data={data} />}
      </Loaded>
      <p class="quiet">
        {texts.ifUpheld} {texts.notified}
      </p>
    </section>
  )
}

function BeforeAndAfter({
  data: { current, withQuarantined, quarantinedEvents },
}: {
  data: QuarantinedScore
}) {
  const { reviews: texts } = t.value
  return (
    <table class="compact effect">
      <tbody>
        <ScoreRow label={texts.now} score={current} change="" />
        <ScoreRow
          label={texts.ifReleased(number(quarantinedEvents), quarantinedEvents)}
          score={withQuarantined}
          change={signed(withQuarantined.score - current.score)}
        />
      </tbody>
    </table>
  )
}

function ScoreRow({ label, score, change }: { label: string; score: Score; change: string }) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <TierScore score={score} />
      </td>
      <td class="number">{change}</td>
      <td class="cell-scale">
        <Scale values={score} size="list" />
      </td>
    </tr>
  )
}
