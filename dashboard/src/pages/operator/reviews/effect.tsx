import { useResource } from '../../../api/resource.ts'
import { quarantinedScore } from '../../../api/scores.ts'
import type { ReviewItem } from '../../../api/types.ts'
import { number, signed } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Scale, TierScore } from '../../../ui/score.tsx'
import { Skeleton } from '../../../ui/states.tsx'

/** The score now, and as it would be with the quarantined events of the agent. */
export function Effect({ item: { agentId } }: { item: ReviewItem }) {
  const { reviews: texts } = t.value
  const quarantined = useResource(`quarantined:${agentId}`, (signal) =>
    quarantinedScore(agentId, signal),
  )
  return (
    <section>
      <h3>{texts.effectTitle}</h3>
      {!quarantined.data ? (
        <Skeleton rows={2} />
      ) : (
        <table class="compact effect">
          <tbody>
            {(['current', 'withQuarantined'] as const).map((which) => (
              <tr key={which}>
                <th scope="row">
                  {which === 'current'
                    ? texts.now
                    : texts.ifReleased(
                        number(quarantined.data?.quarantinedEvents ?? 0),
                        quarantined.data?.quarantinedEvents ?? 0,
                      )}
                </th>
                <td>{quarantined.data && <TierScore score={quarantined.data[which]} />}</td>
                <td class="number">
                  {which === 'withQuarantined' &&
                    quarantined.data &&
                    signed(quarantined.data.withQuarantined.score - quarantined.data.current.score)}
                </td>
                <td class="cell-scale">
                  {quarantined.data && <Scale values={quarantined.data[which]} size="list" />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="quiet">
        {texts.ifUpheld} {texts.notified}
      </p>
    </section>
  )
}
