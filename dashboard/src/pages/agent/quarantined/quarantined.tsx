import { patch } from '../../../api/cache.ts'
import { useResource } from '../../../api/resource.ts'
import { number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { RoleNote } from '../../../ui/role-note.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { useToastedAction } from '../../../ui/toasted-action.tsx'
import { type AgentView, useQuarantinedScore } from '../data.ts'
import { QuarantinedEvent } from './quarantined-event.tsx'
import { type Found, searchQuarantined } from './search.ts'

/** Events that wait for review or were found wrong, with the reason, and the one appeal. */
export function Quarantined({ view }: { view: AgentView }) {
  const { quarantined: texts } = t.value
  const count = view.score.data?.evidence.quarantined ?? 0
  const key = `events:${view.id}:quarantined:${count}`
  const found = useResource<Found>(view.score.data ? key : null, (signal) =>
    searchQuarantined(view.id, count, undefined, signal),
  )
  const search = useToastedAction(async () => {
    const signal = new AbortController().signal
    const next = await searchQuarantined(view.id, count, found.data, signal)
    patch<Found>(key, () => next)
  })
  return (
    <>
      <p class="quiet section-lead">{texts.lead}</p>
      <RoleNote needs="report" />
      <Effect view={view} />
      <Loaded of={found} rows={4}>
        {({ events, searched, cursor }) => (
          <>
            {events.length === 0 && (
              <Empty title={count === 0 ? texts.none : texts.noneFound(number(searched))} />
            )}
            <ul class="plain-list cards">
              {events.map((event) => (
                <QuarantinedEvent key={event.id} event={event} view={view} />
              ))}
            </ul>
            {cursor && (
              <div class="more">
                <span class="quiet">{texts.searched(number(searched))}</span>
                <button type="button" onClick={() => void search.run()} disabled={search.isBusy}>
                  {texts.searchOn}
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

/** What is at stake: the score as it would be if the operator released all of them. */
function Effect({ view }: { view: AgentView }) {
  const { quarantined: texts } = t.value
  const quarantined = useQuarantinedScore(view)
  if (!quarantined.data || quarantined.data.quarantinedEvents === 0) {
    return null
  }
  const { current, withQuarantined } = quarantined.data
  return <p class="banner">{texts.effect(number(current.score), number(withQuarantined.score))}</p>
}
