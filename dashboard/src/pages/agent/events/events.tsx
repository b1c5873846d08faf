import { listEvents } from '../../../api/events.ts'
import { useList } from '../../../api/list.ts'
import { LOGGED_TYPES, type TrustEvent } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { CheckField, optionsOf, SelectField } from '../../../ui/field.tsx'
import { More } from '../../../ui/listing.tsx'
import { useQuery } from '../../../ui/query.ts'
import { Empty, Loaded } from '../../../ui/states.tsx'
import type { AgentView } from '../data.ts'
import { isFollowing, isStreaming } from '../live.ts'
import { EventTable } from './event-table.tsx'

/**
 * Where the events cannot be followed as they arrive: often enough to watch a test, and a fifth of the
 * requests that the smallest tier has.
 */
const POLL_MS = 3_000
const PAGE = 50

/** Events as they come in, newest first. For a platform its own. */
export function AgentEvents({ view: { id } }: { view: AgentView }) {
  const { events: texts, eventTypes } = t.value
  const query = useQuery()
  const type = query.get('type')
  const list = useList<TrustEvent>(
    `events:${id}:${type}`,
    listEvents(id, { type: type || undefined, limit: PAGE }),
    { freshMs: 0, pollMs: isFollowing.value && !isStreaming.value ? POLL_MS : undefined },
  )
  return (
    <>
      <div class="filters">
        <SelectField
          isBare
          label={texts.type}
          value={type}
          options={[{ value: '', label: texts.allTypes }, ...optionsOf(LOGGED_TYPES, eventTypes)]}
          onValue={(next) => query.set({ type: next })}
        />
        <CheckField label={texts.follow} of={isFollowing} />
      </div>
      <Loaded of={list} rows={10}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={type ? texts.noneOfType : texts.none}>
              {!type && <p>{texts.noneText}</p>}
            </Empty>
          ) : (
            <>
              <EventTable events={rows} />
              <More list={list} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
