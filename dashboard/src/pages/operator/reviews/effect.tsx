import { useResource } from '../../../api/resource.ts'
import { quarantinedScore } from '../../../api/scores.ts'
import type { ReviewItem } from '../../../api/types.ts'
import { number, signed } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Scale, TierScore } from '../../../ui/score.tsx'
import { Skeleton } from '../../../ui/states.tsx'

/** The score now, and as it would be with the held events of the agent. */
export function Effect({ item: { agentId } }: { item: ReviewItem }) {
  const { reviews: texts } = t.value
  const held = useResource(`held:${agentId}`, (signal) => quarantinedScore(agentId, signal))
  return (
    <section>
      <h3>{texts.effectTitle}</h3>
      {!held.data ? (
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
                        number(held.data?.quarantinedEvents ?? 0),
                        held.data?.quarantinedEvents ?? 0,
                      )}
                </th>
                <td>{held.data && <TierScore score={held.data[which]} />}</td>
                <td class="number">
                  {which === 'withQuarantined' &&
                    held.data &&
                    signed(held.data.withQuarantined.score - held.data.current.score)}
                </td>
                <td class="cell-scale">
                  {held.data && <Scale values={held.data[which]} size="list" />}
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
