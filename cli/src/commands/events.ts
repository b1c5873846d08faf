import { type EventInput, type EventRecord, isTransient, StandingError } from '@standing/sdk'
import { LOGGED_TYPES } from '../../../src/domain/event.ts'
import { pause } from '../../../src/lib/pause.ts'
import { callerOf, reporterOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { countOf, objectOf, row, TIME_WIDTH } from '../output.ts'
import { inLine } from '../printable.ts'
import type { SEND_OPTIONS, TAIL_OPTIONS } from '../table/events.ts'

/** How often new events are asked for: thirty requests of the hundred a minute that everyone has. */
const ASK_MS = 2_000

/** A burst of more than this between two looks is shown without its beginning. */
const NEW_MAX = 1_000

const LAST = '10'

/** One page of the list: more is an export. */
const LAST_MAX = 100

export async function tail(
  { words: [agentId], options, flags }: InputOf<typeof TAIL_OPTIONS>,
  session: Session,
): Promise<number> {
  const { events } = callerOf(session, options)
  const query = { type: options.type }
  const newestFirst = () =>
    agentId === undefined ? events.list(query) : events.list(agentId, query)
  const last = countOf('--last', options.last ?? LAST, 1, LAST_MAX)
  let known: ReadonlySet<string> = new Set()
  const showNew = (records: readonly EventRecord[]) => {
    for (const record of records.toReversed()) {
      session.show(record, eventLine(record))
    }
    // The next look goes back to the first of these.
    known = records.length > 0 ? new Set(records.map(({ id }) => id)) : known
  }
  showNew(await recordsUntil(newestFirst(), known, last))
  const askAgain = throughAbsences(session)
  while (flags.has('follow') && !session.signal?.aborted) {
    await pause(ASK_MS, session.signal)
    showNew(await askAgain(() => recordsUntil(newestFirst(), known, NEW_MAX)))
  }
  return 0
}

/** The records before the first known one, newest first. */
async function recordsUntil(
  newestFirst: AsyncIterable<EventRecord>,
  known: ReadonlySet<string>,
  most: number,
): Promise<readonly EventRecord[]> {
  const records: EventRecord[] = []
  for await (const record of newestFirst) {
    if (known.has(record.id) || records.push(record) >= most) {
      break
    }
  }
  return records
}

/** Asks for records: there are none while the service does not answer, which is noted when it begins and ends. */
function throughAbsences({ note }: Session) {
  let isAway = false
  return async (ask: () => Promise<readonly EventRecord[]>): Promise<readonly EventRecord[]> => {
    try {
      const records = await ask()
      if (isAway) {
        note('Connected again.')
        isAway = false
      }
      return records
    } catch (error) {
      if (!(error instanceof StandingError) || !isTransient(error)) {
        throw error
      }
      if (!isAway) {
        note(`The service does not answer (${inLine(error.message)}). Trying again until it does.`)
        isAway = true
      }
      return []
    }
  }
}

export async function send(
  { words: [agentId = '', type = '', data], options }: InputOf<typeof SEND_OPTIONS>,
  session: Session,
): Promise<number> {
  const event = {
    type,
    data: objectOf('DATA', data),
    externalId: options['external-id'],
    occurredAt: options['occurred-at'],
  }
  // The service refuses a type or a field that it does not know.
  const record = await reporterOf(session, options).events.submit(agentId, event as EventInput)
  session.show(record, eventLine(record))
  return 0
}

/** The longest type, so that columns line up. */
const TYPE_WIDTH = Math.max(...LOGGED_TYPES.map((type) => type.length))
const WIDTHS = [TIME_WIDTH, TYPE_WIDTH]

function eventLine(record: EventRecord): string {
  const { createdAt, type, id, data, isQuarantined, quarantineReason, isSelfReported } = record
  const notes = [
    ...(isSelfReported ? ['self-reported'] : []),
    ...(isQuarantined ? [`quarantined: ${quarantineReason ?? ''}`] : []),
  ]
  return row([createdAt, type, id, JSON.stringify(data), ...notes], WIDTHS)
}
