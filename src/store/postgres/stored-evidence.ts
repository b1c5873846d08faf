/** Evidence as it is stored, or folded again from the log where another model stored it in another form. */
import type { LoggedEvent } from '../../domain/agent.ts'
import { countedEvent, foldEvents } from '../../domain/evidence.ts'
import {
  decodeEvidence,
  decodeRegistration,
  isEvidenceReadable,
} from '../../domain/evidence-codec.ts'
import { type Evidence, newEvidence } from '../../domain/evidence-state.ts'
import { MODEL } from '../../domain/model.ts'
import { inParts } from '../../lib/parts.ts'
import { archivedAfter } from './archived-events.ts'
import { LOGGED, type LoggedColumns, toLoggedEvent } from './event-columns.ts'
import type { Sql } from './sql.ts'

/** Events read at a time from a log: folding them keeps other requests waiting for two milliseconds. */
const LOG_PART = 256

/**
 * The events of an agent after a number, in the order of receipt, a part at a time. Their numbers leave no
 * gap: where there is one the events were archived, before the log was read or meanwhile.
 */
export async function* loggedEvents(
  sql: Sql,
  agentId: string,
  start = 0,
): AsyncGenerator<readonly LoggedEvent[]> {
  let after = start
  while (true) {
    const rows = await sql<LoggedColumns>(
      `select ${LOGGED} from events where agent_id = $1 and seq > $2 order by seq limit $3`,
      [agentId, after, LOG_PART],
    )
    let archived: readonly LoggedEvent[] =
      rows[0]?.seq === after + 1 ? [] : await archivedAfter(sql, agentId, after)
    if (archived.length === 0) {
      if (rows.length > 0) {
        yield rows.map(toLoggedEvent)
      }
      if (rows.length < LOG_PART) {
        return
      }
      after = rows.at(-1)?.seq ?? after
    }
    while (archived.length > 0) {
      yield* inParts(archived, LOG_PART)
      after = archived.at(-1)?.seq ?? after
      archived = await archivedAfter(sql, agentId, after)
    }
  }
}

/** The evidence in a row; null where it is in another form. */
export function storedEvidence(bytes: Uint8Array): Evidence | null {
  return isEvidenceReadable(bytes) ? decodeEvidence(MODEL, bytes) : null
}

/**
 * The evidence that the log of an agent gives: until the model migrator comes to the agent it is still
 * read and reported on.
 */
export async function refoldedEvidence(
  sql: Sql,
  agentId: string,
  bytes: Uint8Array,
): Promise<Evidence> {
  const { registeredAt, initialCeiling } = decodeRegistration(bytes)
  let evidence = newEvidence(MODEL, registeredAt, initialCeiling)
  for await (const part of loggedEvents(sql, agentId)) {
    const counted = part.filter(({ isQuarantined }) => !isQuarantined)
    evidence = foldEvents(MODEL, evidence, counted.map(countedEvent))
  }
  return evidence
}
