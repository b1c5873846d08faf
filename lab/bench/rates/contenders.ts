import type { InsertLoad } from './inserts.ts'
import type { Figure, HttpLoad } from './load.ts'
import type { Options } from './options.ts'
import type { RawAnswer } from './raw.ts'
import { BATCH, batchOf, eventOf, KEYED, requestBytes } from './requests.ts'
import type { Stage } from './stage.ts'
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
export function createLoad(worker: Worker, stage: Stage, options: Options): Load {
  const { warmMs } = options
  const { databaseUrl } = stage
  return {
    http: (port, requests, ms, clients = options.clients) =>
      worker.ask({ port, clients, requests, warmMs, ms } satisfies HttpLoad),
    inserts: (rowsPerInsert, ms, clients = options.clients) =>
      worker.ask({ databaseUrl, clients, rowsPerInsert, warmMs, ms } satisfies InsertLoad),
  }
}

/** The requests to the service, by name. */
export function ourRequests({
  agentIds,
  names,
  platformKey,
  gatewayKey,
}: Pick<Stage, 'agentIds' | 'names' | 'platformKey' | 'gatewayKey'>) {
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
  const ours = (name: keyof typeof requests): Contender => ({
    pid: service.pid,
    run: (ms) => load.http(service.port, requests[name], ms),
  })
  const alone: Contender = {
    pid: service.pid,
    run: (ms) => load.http(service.port, requests.event, ms, 1),
  }
  const gateAlone: Contender = {
    pid: service.pid,
    run: (ms) => load.http(service.port, requests.gate, ms, 1),
  }
  const contenders: Contenders = {
    read: ours('read'),
    readWithKey: ours('readWithKey'),
    readMany: inItems(ours('readMany')),
    lookup: ours('lookup'),
    decision: ours('decision'),
    gate: ours('gate'),
    gateAlone,
    event: ours('event'),
    eventAlone: alone,
    eventOnce: ours('eventOnce'),
    batch: inItems(ours('batch')),
    rawRead: { pid: raw.pid, run: (ms) => load.http(rawPort, requests.read, ms) },
    plainRead: { pid: plain.pid, run: (ms) => load.http(plainPort, requests.read, ms) },
    plainEvent: { pid: plain.pid, run: (ms) => load.http(plainPort, plainEvents, ms) },
    insert: { pid: null, run: (ms) => load.inserts(1, ms) },
    insertAlone: { pid: null, run: (ms) => load.inserts(1, ms, 1) },
    insertMany: { pid: null, run: (ms) => load.inserts(BATCH, ms) },
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
function inItems({ pid, run }: Contender): Contender {
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
