import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { suppose } from '../../api/scores.ts'
import { EVENT_TYPES, type EventType, type Supposed } from '../../api/types.ts'
import { number, signed } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { FormError } from '../../ui/states.tsx'

/** As many as the service works out for one kind. */
const COUNT_MAX = 1_000

/** What the score would be after more events: the usual questions, and those of the reader. */
export function WhatIf({ id, known }: { id: string; known: readonly Supposed[] }) {
  const { whatIf: texts, eventTypes } = t.value
  const type = useSignal<EventType>('task.completed')
  const count = useSignal('25')
  const asked = useSignal<readonly Supposed[]>([])
  const ask = useAction(async () => {
    const more = [{ type: type.value, count: Number(count.value) }]
    const answers = await suppose(id, more, new AbortController().signal)
    const isOwn = (one: Supposed) => more.some((m) => m.type === one.type && m.count === one.count)
    const isNew = (one: Supposed) =>
      !asked.value.some((a) => a.type === one.type && a.count === one.count)
    asked.value = [...answers.filter(isOwn).filter(isNew), ...asked.value]
  })
  const rows = [...asked.value, ...known]
  return (
    <Section title={texts.title} lead={texts.lead}>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          void ask.run()
        }}
      >
        <SelectField<EventType>
          label={texts.kind}
          value={type.value}
          options={EVENT_TYPES.map((value) => ({ value, label: eventTypes[value] }))}
          onValue={(value) => {
            type.value = value
          }}
        />
        <TextField
          label={texts.count}
          type="number"
          min={1}
          max={COUNT_MAX}
          required
          value={count.value}
          onValue={(value) => {
            count.value = value
          }}
        />
        <button type="submit" disabled={ask.isBusy} title={texts.costs}>
          {texts.ask}
        </button>
      </form>
      <FormError error={ask.error} />
      <table class="compact" aria-live="polite">
        <thead>
          <tr>
            <th scope="col">{texts.kind}</th>
            <th scope="col" class="number">
              {texts.result}
            </th>
            <th scope="col" class="number">
              {texts.change}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={`${one.type}:${one.count}`}>
              <td>
                {number(one.count)} × {eventTypes[one.type]}
              </td>
              <td class="number">{number(one.score)}</td>
              <td class="number">{signed(one.difference)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
