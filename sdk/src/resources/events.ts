import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import { invalidCall } from '../error.ts'
import { type FollowedChange, type FollowOptions, follow } from '../follow.ts'
import type { CredentialKind } from '../options.ts'
import type { Listing } from '../page.ts'
import { reportAll } from '../report.ts'
import { unlessAborted } from '../timer.ts'
import type {
  Agent,
  EventInput,
  EventQuery,
  EventRecord,
  OwnEventQuery,
  OwnPlatform,
  PublicPlatform,
  Report,
} from '../types.ts'
import { path } from '../url.ts'

export type Events = ReturnType<typeof eventCalls>

/** Without an id the agent's own events for its key, or what the platform reported; with one those of that agent. */
export interface ListEvents {
  /** The agent itself, its owner, a platform for what it reported, or the operator. */
  (agentId: string, query?: EventQuery, options?: CallOptions): Listing<EventRecord>
  (query?: OwnEventQuery, options?: CallOptions): Listing<EventRecord>
}

const READERS: readonly CredentialKind[] = ['apiKey', 'token', 'operatorKey']

/** @param apiKey decides the route: a platform reports on any agent, an agent on itself alone */
export function eventCalls(
  { read, readText, open, post, list }: Calls,
  apiKey: string | undefined,
) {
  const routeOf = createRouteOf(read, apiKey)

  async function report(
    agentId: string,
    events: EventInput | readonly EventInput[],
    options?: WriteOptions,
  ): Promise<Report> {
    const all: readonly EventInput[] = isMany(events) ? events : [events]
    if (all.length === 0) {
      return { accepted: 0, rejected: 0, data: [] }
    }
    const route = `${await routeOf(agentId, options?.signal)}/batch`
    return reportAll(all, options, (batch, own) => post(route, ['apiKey'], { events: batch }, own))
  }

  const listEvents: ListEvents = (
    first?: string | OwnEventQuery,
    second?: EventQuery | CallOptions,
    third?: CallOptions,
  ) =>
    typeof first === 'string'
      ? list(path`/v1/agents/${first}/events`, READERS, second as EventQuery, third)
      : list('/v1/events', ['apiKey'], first, second as CallOptions)

  return {
    /** The platform that reported an event, by its name: `event.reporter.id`. */
    platform: (id: string, options?: CallOptions): Promise<PublicPlatform> =>
      read(path`/v1/platforms/${id}`, READERS, options),
    /** Platform: its own record. */
    ownPlatform: (options?: CallOptions): Promise<OwnPlatform> =>
      read('/v1/platforms/me', ['apiKey'], options),
    /**
     * Platform or agent: one event or several, each judged on its own. Those refused are counted and
     * named in `errors`; what is thrown concerns the report as a whole. Where a later request of a
     * long array fails, the error's `details.partial` is the report so far.
     */
    report,
    /** Platform or agent: one event. Answers its record; a refusal is thrown. */
    submit: async (
      agentId: string,
      event: EventInput,
      options?: WriteOptions,
    ): Promise<EventRecord> =>
      post(await routeOf(agentId, options?.signal), ['apiKey'], event, options),
    list: listEvents,
    /**
     * For `for await`: the events about an agent as they arrive, for those who may list them. It comes back by itself
     * when the connection ends, and continues after the last event. An error ends it where calls give up, too.
     */
    follow: (agentId: string, options: FollowOptions = {}): AsyncGenerator<FollowedChange, void> =>
      follow(
        (last) => open(path`/v1/agents/${agentId}/events/stream`, READERS, last, options),
        options,
      ),
    /**
     * The agent itself, its owner, or the operator: every event that counts, in the order folded, one
     * JSON object (`ExportedEvent`) a line. With a receipt it proves the score.
     */
    export: (agentId: string, options?: CallOptions): Promise<string> =>
      readText(
        path`/v1/agents/${agentId}/events/export`,
        ['token', 'apiKey', 'operatorKey'],
        options,
      ),
    /** Owner: once, within 30 days of the decision that upheld the quarantine. */
    appeal: (id: string, statement: string, options?: WriteOptions): Promise<EventRecord> =>
      post(path`/v1/events/${id}/appeal`, ['token'], { statement }, options),
  }
}

/** Where a report about an agent goes. */
function createRouteOf(read: Calls['read'], apiKey: string | undefined) {
  let asked: Promise<string> | undefined

  /** The id of the agent whose key this is, which the key does not show. Asked once. */
  async function askOwnId(): Promise<string> {
    try {
      return (await read<Agent>('/v1/agents/me', ['apiKey'])).id
    } catch (error) {
      asked = undefined
      throw error
    }
  }

  return async (agentId: string, signal: AbortSignal | undefined): Promise<string> => {
    const route = path`/v1/agents/${agentId}/events`
    if (!apiKey?.startsWith('avs_')) {
      return route
    }
    asked ??= askOwnId()
    const own = await unlessAborted(asked, signal)
    if (own === agentId.toLowerCase()) {
      return '/v1/events'
    }
    throw invalidCall(
      `apiKey is the key of agent ${own}, which reports about itself alone: a report about ${agentId} takes a platform's key (avp_)`,
    )
  }
}

function isMany(events: EventInput | readonly EventInput[]): events is readonly EventInput[] {
  return Array.isArray(events)
}
