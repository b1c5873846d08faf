import type { InsertLoad } from './inserts.ts'
import type { Figure, HttpLoad } from './load.ts'
import type { RawAnswer } from './raw.ts'
import { BATCH, batchOf, eventOf, KEYED, requestBytes } from './requests.ts'
import type { Enrolled, Stage } from './stage.ts'
import { startWorker, type Worker } from './worker.ts'

/** One subject of the comparison: a load, and the process that answers it. */
export interface Contender {
  /** The process that answers; null where PostgreSQL alone does. */
  readonly pid: number | null
  run(ms: number): Promise<Figure>
}

export type Contenders = Readonly<Record<ContenderName, Contender>>

export type ContenderName =
  | 'read'
  | 'readWithKey'
  | 'readMany'
  | 'lookup'
  | 'decision'
  | 'gate'
  | 'gateAlone'
  | 'event'
  | 'eventAlone'
  | 'eventOnce'
  | 'batch'
  | 'rawRead'
  | 'plainRead'
  | 'plainEvent'
  | 'insert'
  | 'insertAlone'
  | 'insertMany'

/** Over as many connections as the options say, unless it names another number. */
export interface Load {
  http(port: number, requests: readonly Uint8Array[], ms: number, clients?: number): Promise<Figure>
  inserts(rowsPerInsert: number, ms: number, clients?: number): Promise<Figure>
}

/** The one process that sends the requests of every contender. */
export function createLoad(
  worker: Worker,
  { databaseUrl }: Pick<Stage, 'databaseUrl'>,
  most: Pick<HttpLoad, 'clients' | 'warmMs'>,
): Load {
  return {
    http: (port, requests, ms, clients = most.clients) =>
      worker.ask({ ...most, port, clients, requests, ms } satisfies HttpLoad),
    inserts: (rowsPerInsert, ms, clients = most.clients) =>
      worker.ask({ ...most, databaseUrl, clients, rowsPerInsert, ms } satisfies InsertLoad),
  }
}

/** The requests to the service, by name. */
export function ourRequests({
  agentIds,
  names,
  platformKey,
  gatewayKey,
}: Pick<Enrolled, 'agentIds' | 'names' | 'platformKey' | 'gatewayKey'>) {
  const key = { 'x-api-key': platformKey }
  const each = (make: (id: string, i: number) => Uint8Array) => agentIds.map(make)
  return {
    read: each((id) => requestBytes('GET', `/v1/agents/${id}/score`, {})),
    readWithKey: each((id) => requestBytes('GET', `/v1/scores/${id}`, key)),
    readMany: each((_, i) => requestBytes('POST', '/v1/scores/batch', {}, idsFrom(agentIds, i))),
    lookup: names.map((name) =>
      requestBytes('GET', `/v1/lookup?identifier=${encodeURIComponent(name)}`, {}),
    ),
    decision: names.map((identifier) =>
      requestBytes('POST', '/v1/decisions', key, { identifier, policy: { minScore: 0 } }),
    ),
    // With the policy `gate` of the stage every agent passes.
    gate: names.map((name) =>
      requestBytes('GET', '/v1/gate', { 'x-api-key': gatewayKey, 'x-agent-id': name }),
    ),
    event: each((id, i) => requestBytes('POST', `/v1/agents/${id}/events`, key, eventOf(i))),
    eventOnce: each((id, i) =>
      requestBytes('POST', `/v1/agents/${id}/events`, { ...key, ...KEYED }, eventOf(i)),
    ),
    batch: each((id, i) => requestBytes('POST', `/v1/agents/${id}/events/batch`, key, batchOf(i))),
  }
}

/** As many agents as one request may name, beginning with this one. */
function idsFrom(agentIds: readonly string[], i: number) {
  return { agentIds: [...agentIds.slice(i), ...agentIds.slice(0, i)].slice(0, BATCH) }
}

/** Contenders that one server answers, by what it is asked. */
export function contendersOf(
  load: Load,
  { pid, port }: { readonly pid: number | null; readonly port: number },
) {
  return (requests: readonly Uint8Array[], clients?: number): Contender => ({
    pid,
    run: (ms) => load.http(port, requests, ms, clients),
  })
}

/** Starts the anchors, each in a process of its own. Returns all contenders. */
export async function createContenders(
  stage: Stage,
  load: Load,
): Promise<{ readonly contenders: Contenders; end(): Promise<void> }> {
  const { service, agentIds, platformKey } = stage
  const requests = ourRequests(stage)
  const raw = startWorker('raw')
  const rawPort = await raw.ask<number>(
    await answerOf(`${service.url}/v1/agents/${agentIds[0]}/score`),
  )
  const plain = startWorker('plain')
  const plainPort = await plain.ask<number>(stage.databaseUrl)
  const plainEvents = agentIds.map((id, i) =>
    requestBytes('POST', `/v1/agents/${id}/events`, { 'x-api-key': platformKey }, eventOf(i)),
  )
  const inserts = (rows: number, clients?: number): Contender => ({
    pid: null,
    run: (ms) => load.inserts(rows, ms, clients),
  })
  const ours = contendersOf(load, service)
  const rawly = contendersOf(load, { pid: raw.pid, port: rawPort })
  const plainly = contendersOf(load, { pid: plain.pid, port: plainPort })
  const contenders: Contenders = {
    read: ours(requests.read),
    readWithKey: ours(requests.readWithKey),
    readMany: inItems(ours(requests.readMany)),
    lookup: ours(requests.lookup),
    decision: ours(requests.decision),
    gate: ours(requests.gate),
    gateAlone: ours(requests.gate, 1),
    event: ours(requests.event),
    eventAlone: ours(requests.event, 1),
    eventOnce: ours(requests.eventOnce),
    batch: inItems(ours(requests.batch)),
    rawRead: rawly(requests.read),
    plainRead: plainly(requests.read),
    plainEvent: plainly(plainEvents),
    insert: inserts(1),
    insertAlone: inserts(1, 1),
    insertMany: inserts(BATCH),
  }
  return {
    contenders,
    async end() {
      await raw.end()
      await plain.end()
    },
  }
}

/** Counted in events or scores rather than in requests. */
export function inItems({ pid, run }: Contender): Contender {
  return {
    pid,
    async run(ms) {
      const figure = await run(ms)
      return { ...figure, perSecond: figure.perSecond * BATCH, total: figure.total * BATCH }
    },
  }
}

/** Headers that Node's server sets by itself, or that differ each time. */
const OWN = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

async function answerOf(url: string): Promise<RawAnswer> {
  const response = await fetch(url)
  const headers = [...response.headers].filter(([name]) => !OWN.has(name))
  return { headers, body: new Uint8Array(await response.arrayBuffer()) }
}
