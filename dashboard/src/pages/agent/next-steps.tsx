import type { EventType, Explanation } from '../../api/types.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Facts } from '../../ui/facts.tsx'

/** So many ways are read; the shortest come first. */
const WAYS_MAX = 3

/** What would raise the score, and what it can afford. */
export function NextSteps({ explanation }: { explanation: Explanation }) {
  return (
    <aside class="next-steps">
      <Raise next={explanation.nextTier} />
      <Budget budget={explanation.errorBudget} />
    </aside>
  )
}

function counted(type: EventType, count: number): string {
  const { eventCounts, eventTypes, raise } = t.value
  if (count > 1) {
    return eventCounts[type](number(count))
  }
  // An owner would take it for a credential of their own, which brings nothing.
  return type === 'credential.issued' ? raise.oneCredential : `1 × ${eventTypes[type]}`
}

function Raise({ next }: { next: Explanation['nextTier'] }) {
  const { raise: texts, tiers } = t.value
  return (
    <section>
      <h2>{texts.title}</h2>
      {next === null ? (
        <p class="quiet">{texts.best}</p>
      ) : (
        <>
          <p>
            {texts.toNext(
              number(next.pointsMissing),
              next.pointsMissing,
              tiers.names[next.classification],
            )}
          </p>
          {next.ways.length === 0 && <p class="quiet">{texts.noWay}</p>}
          {waysOf(next).length > 1 && <p class="quiet">{texts.oneOf}</p>}
          <ul class="ways">
            {waysOf(next).map(({ type, events, perDay, days }) => (
              <li key={`${type}${perDay}`}>
                {perDay === null || days < 1
                  ? texts.wayNow(counted(type, events))
                  : texts.way(counted(type, events), number(perDay), number(days), days)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** One way for each kind of event: the shortest, which comes first. */
function waysOf({ ways }: NonNullable<Explanation['nextTier']>) {
  const isFirst = (way: (typeof ways)[number], i: number) =>
    ways.findIndex(({ type }) => type === way.type) === i
  return ways.filter(isFirst).slice(0, WAYS_MAX)
}

function Budget({ budget }: { budget: Explanation['errorBudget'] }) {
  const { budget: texts, tiers } = t.value
  return (
    <section>
      <h2>{texts.title}</h2>
      {budget === null ? (
        <p class="quiet">{texts.none}</p>
      ) : (
        <>
          <p>
            {texts.left(
              number(budget.pointsLeft),
              budget.pointsLeft,
              tiers.names[budget.classification],
            )}
          </p>
          <p class="quiet">{texts.failuresLeft}</p>
          <Facts
            class="budget"
            of={budget.failures.map(({ type, events }) => [
              t.value.eventTypes[type],
              events === null ? texts.many : number(events),
            ])}
          />
        </>
      )}
    </section>
  )
}
