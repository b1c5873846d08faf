import { useList } from '../../../api/list.ts'
import { listPlatforms, listReviews } from '../../../api/operator.ts'
import type { Platform, ReviewItem } from '../../../api/types.ts'
import { number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { useOpened } from '../../../ui/dialog.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { useQuery } from '../../../ui/query.ts'
import { useShortcut } from '../../../ui/shortcuts.ts'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { DemoButton } from '../demo/demo.tsx'
import { BulkDialog } from './bulk.tsx'
import { ReviewCase } from './case.tsx'
import { decided } from './decide.tsx'
import { ReviewFilters } from './filters.tsx'
import { Queue } from './queue.tsx'

/** Quarantined events, one after the other: what is claimed, why it is quarantined, and the decision. */
export function Reviews() {
  const { reviews: texts, shortcuts } = t.value
  const query = useQuery()
  const filter = {
    rule: query.get('rule') || undefined,
    agentId: query.get('agent') || undefined,
    reporterId: query.get('reporter') || undefined,
  }
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const list = useList<ReviewItem>(`reviews:${JSON.stringify(filter)}`, listReviews(filter), {
    pollMs: POLL_MS,
  })
  const platforms = useList<Platform>('platforms', listPlatforms)
  const bulk = useOpened()
  const rows = list.data?.rows.filter(({ id }) => !decided.value.has(id)) ?? []
  const chosen = query.get('event')
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === chosen),
  )
  const select = (index: number) => query.set({ event: rows[index]?.id ?? '' })
  useShortcut('j', shortcuts.next, () => select(Math.min(rows.length - 1, at + 1)))
  useShortcut('k', shortcuts.previous, () => select(Math.max(0, at - 1)))
  const item = rows[at]
  return (
    <>
      <PageHead
        title={texts.title}
        lead={rows.length > 0 && texts.lead(number(rows.length), rows.length, list.more !== null)}
      >
        {isFiltered && rows.length > 0 && (
          <button type="button" onClick={bulk.open}>
            {texts.bulk}
          </button>
        )}
      </PageHead>
      <ReviewFilters filter={filter} set={query.set} />
      <Loaded of={list} rows={6}>
        {() =>
          item === undefined ? (
            <Empty
              title={isFiltered ? texts.noneOfFilter : texts.none}
              action={platforms.data?.rows.length === 0 && <FirstSteps />}
            >
              {!isFiltered && <p>{texts.noneText}</p>}
            </Empty>
          ) : (
            <div class="desk">
              <Queue rows={rows} at={at} select={select} list={list} />
              <ReviewCase
                key={item.id}
                item={item}
                filter={query.set}
                onDecided={() => select(Math.min(at + 1, rows.length - 1))}
              />
            </div>
          )
        }
      </Loaded>
      {bulk.isOpen && <BulkDialog filter={filter} onClose={bulk.close} />}
    </>
  )
}

/** An installation without a platform has nothing to review yet. */
function FirstSteps() {
  return (
    <span class="row-actions">
      <a class="button primary" href={to.platforms()}>
        {t.value.platforms.create}
      </a>
      <DemoButton />
    </span>
  )
}

/** New quarantined events show up while the desk is open. */
const POLL_MS = 10_000
