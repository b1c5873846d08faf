import { useSignal } from '@preact/signals'
import { useList } from '../../api/list.ts'
import type { Delivery } from '../../api/types.ts'
import { listDeliveries } from '../../api/webhooks.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { ExpandableRow } from '../../ui/expandable-row.tsx'
import { Icon } from '../../ui/icon.tsx'
import { More } from '../../ui/listing.tsx'
import { Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { DeliveryDetails } from './delivery.tsx'
import { eventNames } from './webhook-table.tsx'

const STATUSES = ['', 'pending', 'delivered', 'failed'] as const
type StatusFilter = (typeof STATUSES)[number]

/** Deliveries go on while the page is open. */
const POLL_MS = 4_000

export function Deliveries({ webhookId }: { webhookId: string }) {
  const { webhooks: texts, statuses, common } = t.value
  const status = useSignal<StatusFilter>('')
  const list = useList<Delivery>(
    `deliveries:${webhookId}:${status.value}`,
    listDeliveries(webhookId, status.value || undefined),
    { freshMs: 0, pollMs: POLL_MS },
  )
  return (
    <Section
      title={texts.deliveries}
      aside={
        <Segmented<StatusFilter>
          label={common.status}
          of={status}
          options={STATUSES.map((value) => ({
            value,
            label: value === '' ? texts.allStatuses : statuses[value],
          }))}
        />
      }
    >
      <Loaded of={list} rows={5}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={status.value === '' ? texts.noDeliveries : texts.noneOfStatus} />
          ) : (
            <>
              <table class="delivery-table">
                <tbody>
                  {rows.map((delivery) => (
                    <DeliveryRow key={delivery.id} delivery={delivery} />
                  ))}
                </tbody>
              </table>
              <More list={list} />
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { webhooks: texts } = t.value
  return (
    <ExpandableRow
      columns={4}
      head={
        <>
          <Icon name="down" size={12} />
          {eventNames([delivery.type])[0]}
        </>
      }
      cells={
        <>
          <td>
            <Status name={delivery.status} />
          </td>
          <td class="quiet cell-attempts">
            {texts.attempts(number(delivery.attemptCount), delivery.attemptCount)}
          </td>
          <td class="number quiet">
            <Time at={delivery.createdAt} />
          </td>
        </>
      }
    >
      {() => <DeliveryDetails delivery={delivery} />}
    </ExpandableRow>
  )
}
