import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { appeal } from '../../../api/events.ts'
import type { TrustEvent } from '../../../api/types.ts'
import { DAY_MS } from '../../../durations.ts'
import { date, relative } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { may } from '../../../session/rights.ts'
import { TextArea } from '../../../ui/field.tsx'
import { QuarantineReason } from '../../../ui/said.tsx'
import { FormError } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { AgentView } from '../data.ts'
import { dataWords } from '../events/event-data.ts'
import { EventDetails } from '../events/event-table.tsx'
import { ReporterName } from '../names.tsx'

export function QuarantinedEvent({ event, view }: { event: TrustEvent; view: AgentView }) {
  const { quarantined: texts, eventTypes } = t.value
  const { review } = event
  const decision = review?.decisions.at(-1)
  return (
    <li class="card">
      <p>
        <b>{eventTypes[event.type]}</b> {dataWords(event)}
        <span class="quiet">
          {' · '}
          <ReporterName reporter={event.reporter} />
          {' · '}
          <Time at={event.createdAt} />
        </span>
      </p>
      {event.quarantineReason && (
        <p>
          <span class="quiet">{texts.because}:</span> <QuarantineReason event={event} />
        </p>
      )}
      <p>
        <span class="tag">{texts.status[review?.status ?? 'pending']}</span>
        {decision && (
          <span>
            {' '}
            {decision.reason}{' '}
            <span class="quiet">{texts.decided(relative(decision.decidedAt))}</span>
          </span>
        )}
      </p>
      {review?.appeal && (
        <p>
          <span class="quiet">{texts.yourAppeal}:</span> {review.appeal.statement}
        </p>
      )}
      {view.kind === 'owner' && may('report') && <Appeal event={event} />}
      <details>
        <summary>{t.value.events.data}</summary>
        <EventDetails event={event} />
      </details>
    </li>
  )
}

/** An upheld event may be appealed once, within this many days (interface, Review). */
const APPEAL_DAYS = 30
const STATEMENT_MAX = 2_000

function Appeal({ event }: { event: TrustEvent }) {
  const { quarantined: texts } = t.value
  const isOpen = useSignal(false)
  const statement = useSignal('')
  const send = useAction(async () => {
    await appeal(event.id, statement.value.trim())
    refresh(`events:${event.agentId}`)
    toast(texts.appealed)
  })
  const { review } = event
  const upheldAt = review?.decisions.at(-1)?.decidedAt
  if (review?.status !== 'upheld' || review.appeal !== null || upheldAt === undefined) {
    return null
  }
  const until = Date.parse(upheldAt) + APPEAL_DAYS * DAY_MS
  if (until < Date.now()) {
    return null
  }
  if (!isOpen.value) {
    return (
      <p>
        <button
          type="button"
          onClick={() => {
            isOpen.value = true
          }}
        >
          {texts.appeal}
        </button>{' '}
        <span class="quiet">{texts.appealUntil(date(until))}</span>
      </p>
    )
  }
  return (
    <form onSubmit={submits(send)}>
      <TextArea
        label={texts.appealLabel}
        hint={texts.appealHint}
        required
        maxLength={STATEMENT_MAX}
        of={statement}
      />
      <FormError error={send.error} />
      <button type="submit" class="primary" disabled={send.isBusy}>
        {texts.appeal}
      </button>
    </form>
  )
}
