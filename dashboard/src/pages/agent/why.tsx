import { useSignal } from '@preact/signals'
import {
  drawStep,
  type Part,
  type Step,
  waterfall,
  waterfallRange,
} from '@standing/design/waterfall.ts'
import type { Explanation, Move, Reporter } from '../../api/types.ts'
import { number, signed } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Drawn } from '../../ui/drawn.tsx'
import { optionsOf } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Time } from '../../ui/time.tsx'
import { ReporterName } from './names.tsx'
import { Reasons } from './reasons.tsx'

type By = 'dimensions' | 'types' | 'reporters'

interface CountedPart extends Part {
  /** Null for what is no event: time, and corrections. */
  readonly events: number | null
  /** Instead of the label, whose name may have to be read. */
  readonly reporter?: Reporter
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
  return (
    <Section
      title={texts.title}
      aside={<Segmented label={texts.by} of={by} options={optionsOf(kinds, texts.kinds)} />}
    >
      <div class="why">
        <Steps steps={steps} parts={parts} />
        <Reasons reasons={explanation.reasons} />
      </div>
      {explanation.events && <Moves up={explanation.events.up} down={explanation.events.down} />}
    </Section>
  )
}

/** The first step is the start, the last one the score; the parts are between them. */
function Steps({ steps, parts }: { steps: readonly Step[]; parts: readonly CountedPart[] }) {
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
          <StepRow key={i} step={step} part={parts[i - 1]} range={range} />
        ))}
      </tbody>
    </table>
  )
}

function StepRow({
  step,
  part,
  range,
}: {
  step: Step
  part: CountedPart | undefined
  range: ReturnType<typeof waterfallRange>
}) {
  const { kind, label, points } = step
  const events = part?.events ?? null
  return (
    <tr class={kind === 'part' ? '' : 'waterfall-end'}>
      <th scope="row">{part?.reporter ? <ReporterName reporter={part.reporter} /> : label}</th>
      <td class="number quiet">{events !== null && number(events)}</td>
      <td class="number">{kind === 'part' ? signed(points) : number(points)}</td>
      <td class="waterfall-bars" aria-hidden="true">
        <Drawn class="drawn-block" markup={drawStep(step, range)} />
      </td>
    </tr>
  )
}

/** What brought most first, what took most last; time and corrections at the end. */
function partsOf({ contributions }: Explanation, by: By): readonly CountedPart[] {
  const texts = t.value.why
  const { time, correction } = contributions
  return [
    ...namedParts(contributions, by).toSorted((a, b) => b.points - a.points),
    ...(time === 0 ? [] : [{ label: texts.time, events: null, points: time }]),
    ...(correction === 0 ? [] : [{ label: texts.correction, events: null, points: correction }]),
  ]
}

function namedParts(contributions: Explanation['contributions'], by: By): readonly CountedPart[] {
  const { why: texts, dimensions, eventTypes } = t.value
  switch (by) {
    case 'dimensions':
      return contributions.dimensions.map(({ dimension, ...rest }) => {
        return { label: dimensions[dimension], ...rest }
      })
    case 'types':
      return contributions.types.map(({ type, ...rest }) => ({ label: eventTypes[type], ...rest }))
    case 'reporters':
      return (contributions.reporters ?? []).map(({ reporter, ...rest }) => {
        return { label: texts.others, ...(reporter ? { reporter } : {}), ...rest }
      })
  }
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
            <span class="number">{signed(points, 1)}</span>
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
