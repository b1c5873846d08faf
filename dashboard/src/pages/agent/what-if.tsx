import { useSignal } from '@preact/signals'
import { drawTier, EVENTS_FOR_MEDIUM, shownTier, tierAt } from '@standing/design/tier.ts'
import { useEffect, useId } from 'preact/hooks'
import { suppose } from '../../api/scores.ts'
import type { EventType, Explanation, WhatIfScore } from '../../api/types.ts'
import { number, signed } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Drawn } from '../../ui/drawn.tsx'
import { optionsOf, SelectField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { FormError } from '../../ui/states.tsx'

/** Where the sliders stop: fine where one event matters, up to as many as the service works out. */
const COUNTS = [1, 2, 3, 5, 10, 15, 25, 50, 75, 100, 150, 250, 400, 600, 1_000] as const

const GOOD = ['task.completed', 'payment.completed', 'uptime.report', 'credential.issued'] as const
const BAD = [
  'task.failed',
  'task.timeout',
  'payment.failed',
  'payment.late',
  'payment.disputed',
  'error.reported',
] as const

/** A slider that moves is not asked about at each stop. */
const SETTLED_MS = 250

/** What the score would be after more good events, and after more failures: one slider each. */
export function WhatIf({
  explanation,
  eventCount,
}: {
  explanation: Explanation
  /** How many events count now: with few of them no tier is shown at any score. */
  eventCount: number
}) {
  const { whatIf: texts } = t.value
  const { agentId: id, score, after: known } = explanation
  return (
    <Section title={texts.title} lead={texts.lead}>
      <div>
        <Slider
          id={id}
          score={score}
          types={GOOD}
          first={10}
          known={known}
          eventCount={eventCount}
        />
        <Slider id={id} score={score} types={BAD} first={1} known={known} eventCount={eventCount} />
      </div>
    </Section>
  )
}

interface SliderProps {
  readonly id: string
  /** The score of now. */
  readonly score: number
  readonly types: readonly EventType[]
  /** Where it begins: what every explanation holds, so that it costs nothing. */
  readonly first: (typeof COUNTS)[number]
  readonly known: readonly WhatIfScore[]
  readonly eventCount: number
}

function Slider(props: SliderProps) {
  const { types, first } = props
  const { whatIf: texts, eventTypes } = t.value
  const outputId = useId()
  const type = useSignal<EventType>(types[0] ?? 'task.completed')
  const stop = useSignal(COUNTS.indexOf(first))
  const count = COUNTS[stop.value] ?? first
  const { answer, error } = useWhatIfScore(props, type.value, count)
  return (
    <div class="what-if-row">
      <SelectField<EventType>
        isBare
        label={texts.kind}
        of={type}
        options={optionsOf(types, eventTypes)}
      />
      <input
        type="range"
        min={0}
        max={COUNTS.length - 1}
        value={stop.value}
        aria-label={texts.count(eventTypes[type.value])}
        aria-valuetext={number(count)}
        aria-describedby={outputId}
        title={texts.costs}
        onInput={(event) => {
          stop.value = event.currentTarget.valueAsNumber
        }}
      />
      <span>{number(count)} ×</span>
      <output id={outputId} class="what-if-result" aria-live="polite">
        {answer ? (
          <Result answer={answer} eventCount={props.eventCount} />
        ) : (
          <span class="quiet">…</span>
        )}
      </output>
      <FormError error={error} />
    </div>
  )
}

function Result({ answer, eventCount }: { answer: WhatIfScore; eventCount: number }) {
  const { tiers } = t.value
  const { score, count } = answer
  const confidence = eventCount + count < EVENTS_FOR_MEDIUM ? 'low' : 'medium'
  const tier = shownTier({ score, classification: tierAt(score), confidence })
  return (
    <>
      <span class={`tier-name tier-${tier}`}>
        <Drawn markup={drawTier(tier)} />
        <strong>{number(score)}</strong>{' '}
        {tier === 'unknown'
          ? tiers.enoughAt(number(eventCount + count), number(EVENTS_FOR_MEDIUM))
          : tiers.names[tier]}
      </span>{' '}
      <span class="quiet">{signed(answer.difference)}</span>
    </>
  )
}

/** The answer for a kind and a number of events: asked once for each, while the score is this one. */
function useWhatIfScore({ id, score, known }: SliderProps, type: EventType, count: number) {
  const asked = useSignal<readonly (WhatIfScore & { readonly from: number })[]>([])
  const error = useSignal<unknown>(undefined)
  const isIt = (one: WhatIfScore) => one.type === type && one.count === count
  const answer = known.find(isIt) ?? asked.value.find((one) => isIt(one) && one.from === score)
  const isKnown = answer !== undefined
  useEffect(() => {
    error.value = undefined
    if (isKnown) {
      return
    }
    const controller = new AbortController()
    const ask = async () => {
      try {
        const answers = await suppose(id, [{ type, count }], controller.signal)
        asked.value = [...answers.map((one) => ({ ...one, from: score })), ...asked.value]
      } catch (reason) {
        if (!controller.signal.aborted) {
          error.value = reason
        }
      }
    }
    const timer = setTimeout(() => void ask(), SETTLED_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [id, score, type, count, isKnown])
  return { answer, error: error.value }
}
