import { drawStrip, type StripDay, stripDays } from '@standing/design/strip.ts'
import { listEvents } from '../../api/events.ts'
import { useResource } from '../../api/resource.ts'
import type { TrustEvent } from '../../api/types.ts'
import { day as dayName, number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Drawn } from '../../ui/drawn.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Twin } from '../../ui/twin.tsx'
import type { AgentView } from './data.ts'
import { dayAfter, firstOfDays } from './strip-days.ts'

const DAYS = 90
const PAGE = 100

/** Pages read at most: each costs a request of the minute. */
const PAGES_MAX = 6

interface Read {
  readonly events: readonly TrustEvent[]
  /** From when on every event is among them. */
  readonly knownSince: number
  readonly isWhole: boolean
}

/** A cell for each of the last 90 days: how much was reported, and how much of it went well. */
export function Strip({ view: { id } }: { view: AgentView }) {
  const { strip: texts } = t.value
  const read = useResource(`strip:${id}`, (signal) => readDays(id, signal))
  return (
    <Section title={texts.title}>
      <Loaded of={read} rows={1} height="44px">
        {(data) => <Days {...data} />}
      </Loaded>
    </Section>
  )
}

async function readDays(id: string, signal: AbortSignal): Promise<Read> {
  const since = firstOfDays(Date.now(), DAYS)
  const filter = { from: new Date(since).toISOString(), limit: PAGE }
  const events: TrustEvent[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const page = await listEvents(id, filter)(cursor, signal)
    events.push(...page.data)
    if (page.nextCursor === null) {
      return { events, knownSince: since, isWhole: true }
    }
    cursor = page.nextCursor
  }
  const oldest = events.at(-1)?.createdAt
  const knownSince = dayAfter(oldest ? Date.parse(oldest) : since)
  return { events, knownSince, isWhole: false }
}

function Days({ events, knownSince, isWhole }: Read) {
  const { strip: texts } = t.value
  const counted = events.filter(
    ({ isQuarantined, impact }) => !isQuarantined && impact !== 'neutral',
  )
  const counts = counted.map(({ createdAt, impact }) => ({
    day: createdAt.slice(0, 10),
    impact,
    count: 1,
  }))
  const days = stripDays(counts, { now: Date.now(), days: DAYS, knownSince })
  const good = counted.filter(({ impact }) => impact === 'positive').length
  const whole = texts.whole(number(good), number(counted.length - good), number(DAYS))
  const words = { whole, day: (one: StripDay) => dayWords(one) }
  return (
    <>
      <Drawn class="drawn-block" markup={drawStrip(days, words)} />
      <p class="quiet strip-note">
        {isWhole
          ? whole
          : texts.partial(number(events.length), dayName(new Date(knownSince).toISOString()))}
      </p>
      <Twin>{() => <StripTable days={days} />}</Twin>
    </>
  )
}

function dayWords({ day, good, bad, isKnown }: StripDay): string {
  const { strip: texts } = t.value
  if (!isKnown && good + bad === 0) {
    return texts.dayUnread(dayName(day))
  }
  return texts.day(dayName(day), number(good), number(bad))
}

function StripTable({ days }: { days: readonly StripDay[] }) {
  const { strip: texts } = t.value
  return (
    <table class="compact twin">
      <thead>
        <tr>
          <th scope="col">{texts.dayColumn}</th>
          <th scope="col" class="number">
            {texts.good}
          </th>
          <th scope="col" class="number">
            {texts.bad}
          </th>
        </tr>
      </thead>
      <tbody>
        {days
          .filter(({ good, bad }) => good + bad > 0)
          .reverse()
          .map(({ day, good, bad }) => (
            <tr key={day}>
              <th scope="row">{dayName(day)}</th>
              <td class="number">{number(good)}</td>
              <td class="number">{number(bad)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
