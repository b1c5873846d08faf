import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { useResource } from '../../api/resource.ts'
import type { Delivery, DeliveryDetails as Details } from '../../api/types.ts'
import { getDelivery, redeliver } from '../../api/webhooks.ts'
import { dateTime, duration, number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { may } from '../../session/rights.ts'
import { FormError, Loaded } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'

/** One delivery: every attempt with its answer, what is posted, and a button to send it again. */
export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { webhooks: texts } = t.value
  const { id, webhookId, attemptCount, status } = delivery
  // Another attempt is another reading.
  const details = useResource(`delivery:${id}:${attemptCount}:${status}`, (signal) =>
    getDelivery(webhookId, id, signal),
  )
  const resend = useAction(async () => {
    await redeliver(webhookId, id)
    refresh(`deliveries:${webhookId}`)
    toast(texts.resent)
  })
  return (
    <Loaded of={details} rows={2}>
      {(data) => (
        <div class="event-details">
          <div>
            <Attempts details={data} />
            {data.nextAttemptAt && data.status === 'pending' && (
              <p class="quiet">
                {Date.parse(data.nextAttemptAt) < Date.now() ? (
                  texts.waits
                ) : (
                  <>
                    {texts.next} <Time at={data.nextAttemptAt} />
                  </>
                )}
              </p>
            )}
            <FormError error={resend.error} />
            {may('manage') && (
              <p>
                <button type="button" onClick={() => void resend.run()} disabled={resend.isBusy}>
                  {texts.resend}
                </button>
              </p>
            )}
          </div>
          <div>
            <h3>{texts.payload}</h3>
            <pre>{JSON.stringify(data.data, null, 2)}</pre>
          </div>
        </div>
      )}
    </Loaded>
  )
}

function Attempts({ details: { attempts } }: { details: Details }) {
  const { webhooks: texts } = t.value
  return (
    <ol class="plain-list attempts">
      {attempts.map(({ at, outcome, status, error, durationMs, responseStart }, i) => (
        <li key={at}>
          <span class="quiet">{texts.attempt(number(i + 1))}</span> <Status name={outcome} />{' '}
          {status !== null ? (
            texts.answered(String(status))
          ) : error ? (
            <span lang="en">{error}</span>
          ) : (
            texts.noAnswer
          )}
          <span class="quiet">
            {' '}
            {duration(durationMs)}, {dateTime(at)}
          </span>
          {responseStart && <pre>{responseStart}</pre>}
        </li>
      ))}
    </ol>
  )
}
