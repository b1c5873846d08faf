import { useEffect, useRef } from 'preact/hooks'
import type { List } from '../../../api/list.ts'
import type { ReviewItem } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { More } from '../../../ui/listing.tsx'
import { Time } from '../../../ui/time.tsx'
import { dataWords } from '../../agent/events/event-data.ts'
import { AgentName } from '../../agent/names.tsx'

export function Queue({
  rows,
  at,
  select,
  list,
}: {
  rows: readonly ReviewItem[]
  at: number
  select: (index: number) => void
  list: List<ReviewItem>
}) {
  const { reviews: texts, eventTypes } = t.value
  const current = useRef<HTMLButtonElement>(null)
  const id = rows[at]?.id
  useEffect(() => {
    if (id !== undefined) {
      current.current?.scrollIntoView({ block: 'nearest' })
    }
  }, [id])
  return (
    <div class="queue">
      <ul class="plain-list" aria-label={texts.queue}>
        {rows.map((item, i) => (
          <li key={item.id}>
            <button
              ref={i === at ? current : null}
              type="button"
              class="quiet queue-item"
              aria-current={i === at ? 'true' : undefined}
              onClick={() => select(i)}
            >
              <span class="queue-line">
                <b>{eventTypes[item.type]}</b>
                <span class="quiet">
                  <Time at={item.createdAt} />
                </span>
              </span>
              <span class="queue-line">
                <AgentName id={item.agentId} />
                <span class="quiet queue-data">{dataWords(item)}</span>
              </span>
              <span class="queue-line">
                <span class="quiet mono queue-rules">{item.fraudFlags.join(', ')}</span>
                {item.review?.status === 'appealed' && (
                  <span class="tag">{t.value.quarantined.status.appealed}</span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {list.more && <More list={list} />}
    </div>
  )
}
