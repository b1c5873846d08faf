import { useSignal } from '@preact/signals'
import {
  drawStep,
  type Part,
  type Step,
  waterfall,
  waterfallRange,
} from '@standing/design/waterfall.ts'
import type { Explanation, Move } from '../../api/types.ts'
import { number, signed } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Drawn } from '../../ui/drawn.tsx'
import { Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { shortId } from '../../ui/short-id.ts'
import { Time } from '../../ui/time.tsx'
import { Reasons } from './reasons.tsx'

type By = 'dimensions' | 'types' | 'reporters'

interface CountedPart extends Part {
  readonly events: number | null
}

/** From where every agent begins to the score, part by part. The parts sum exactly. */
export function Why({ explanation }: { explanation: Explanation }) {
  const texts = t.value.why
  const by = useSignal<By>('types')
  const { contributions } = explanation
  const kinds: readonly By[] = contributions.reporters
    ? ['types', 'dimensions', 'reporters']
    : ['types', 'dimensions']
  const parts = partsOf(explanation, by.value)
  const steps = waterfall({ label: texts.start, points: contributions.start }, parts, {
    label: texts.score,
    points: explanation.score,
  })
  const counts = [null, ...parts.map(({ events }) => events), null]
  return (
    <Section
      title={texts.title}
      aside={
        <Segmented
          label={texts.by}
          of={by}
          options={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        />
      }
    >
      <div class="why">
        <Steps steps={steps} counts={counts} />
        <Reasons reasons={explanation.reasons} />
      </div>
      {explanation.events && <Moves up={explanation.events.up} down={explanation.events.down} />}
    </Section>
  )
}

function Steps({ steps, counts }: { steps: readonly Step[]; counts: readonly (number | null)[] }) {
  const texts = t.value.why
  const range = waterfallRange(steps)
  return (
    <table class="waterfall compact">
      <caption class="visually-hidden">{texts.sum}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.part}</th>
          <th scope="col" class="number">
            {texts.events}
          </th>
          <th scope="col" class="number">
            {texts.points}
          </th>
          <td class="waterfall-bars" />
        </tr>
      </thead>
      <tbody>
        {steps.map((step, i) => (
          <tr key={`${step.kind}${step.label}`} class={step.kind === 'part' ? '' : 'waterfall-end'}>
            <th scope="row">{step.label}</th>
            <td class="number quiet">{counts[i] == null ? '' : number(counts[i])}</td>
            <td class="number">
              {step.kind === 'part' ? signed(step.points) : number(step.points)}
            </td>
            <td class="waterfall-bars" aria-hidden="true">
              <Drawn class="drawn-block" markup={drawStep(step, range)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What brought most first, what took most last; time and corrections at the end. */
function partsOf({ contributions }: Explanation, by: By): readonly CountedPart[] {
  const { why: texts, dimensions, eventTypes } = t.value
  const named = (() => {
    switch (by) {
      case 'dimensions':
        return contributions.dimensions.map(({ dimension, events, points }) => {
          return { label: dimensions[dimension], events, points }
        })
      case 'types':
        return contributions.types.map(({ type, events, points }) => {
          return { label: eventTypes[type], events, points }
        })
      case 'reporters':
        return (contributions.reporters ?? []).map(({ reporter, events, points }) => {
          const label = reporter
            ? `${texts.reporters[reporter.kind]} ${reporter.kind === 'platform' ? shortId(reporter.id) : ''}`
            : texts.others
          return { label: label.trim(), events, points }
        })
    }
  })()
  const { time, correction } = contributions
  return [
    ...[...named].sort((a, b) => b.points - a.points),
    ...(time === 0 ? [] : [{ label: texts.time, events: null, points: time }]),
    ...(correction === 0 ? [] : [{ label: texts.correction, events: null, points: correction }]),
  ]
}

/** The events that changed the score most, either way. */
function Moves({ up, down }: { up: readonly Move[]; down: readonly Move[] }) {
  const { why: texts, eventTypes } = t.value
  const moves = [...up.slice(0, MOVES_MAX), ...down.slice(0, MOVES_MAX)]
  if (moves.length === 0) {
    return null
  }
  return (
    <details class="moves">
      <summary>{texts.movesTitle}</summary>
      <ul class="plain-list">
        {moves.map(({ id, type, points, createdAt }) => (
          <li key={id}>
            <span class="number move-points">{signed(points, 1)}</span>
            <span>{eventTypes[type]}</span>
            <span class="quiet">
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}

const MOVES_MAX = 5
