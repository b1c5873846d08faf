import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { UserError } from '../../../src/lib/user-error.ts'
import { contendersOf, type Load, ourRequests } from './contenders.ts'
import { MARK } from './load.ts'
import { requestBytes } from './requests.ts'
import type { Measured, Pair } from './rounds.ts'
import type { Stage } from './stage.ts'

/**
 * In paths, headers and the texts of bodies: an agent's id at the other service, the id of another of its
 * agents, and text that is new each time.
 */
const ID = '{id}'
const OTHER = '{other}'
const UNIQUE = '{unique}'

const requestShape = z.strictObject({
  method: z.enum(['GET', 'POST']),
  path: z.string().startsWith('/'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
})

const count = z.number().int().positive()

/** How another service is asked for the same as this one. */
const mappingShape = z.strictObject({
  name: z.string(),
  /**
   * The ids of its agents; or how one is registered and where the response has its id; or, where an agent
   * needs no registration, how each is named.
   */
  agents: z.union([
    z.array(z.string()).nonempty(),
    z.strictObject({ count, register: requestShape, id: z.string().startsWith('/') }),
    z.strictObject({ count, named: z.string().includes(UNIQUE) }),
  ]),
  read: requestShape.optional(),
  event: requestShape.optional(),
})

/** Another service on this machine, and how it is asked. */
export interface Other {
  readonly url: string
  readonly mapping: Mapping
}

export type Mapping = z.infer<typeof mappingShape>
type MappedRequest = z.infer<typeof requestShape>

/** What the placeholders of a request stand for. */
interface Filling {
  readonly id: string
  readonly other: string
  readonly unique: string
}

/** @throws UserError where the file is no mapping */
export function readMapping(file: string): Mapping {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UserError(`The mapping ${file} cannot be read: ${(error as Error).message}`)
  }
  const parsed = mappingShape.safeParse(json)
  if (!parsed.success) {
    throw new UserError(`${file} is no mapping.\n${z.prettifyError(parsed.error)}`)
  }
  return parsed.data
}

/** The bytes of a request about one agent. The load puts new text where `{unique}` stands. */
export function mappedRequest(request: MappedRequest, id: string, other = id): Uint8Array {
  const { method, path, headers, body } = filledRequest(request, { id, other, unique: MARK })
  return requestBytes(method, path, headers, body)
}

function filledRequest({ method, path, headers, body }: MappedRequest, filling: Filling) {
  const inPath = {
    ...filling,
    id: encodeURIComponent(filling.id),
    other: encodeURIComponent(filling.other),
  }
  return {
    method,
    path: filledText(path, inPath),
    headers: filledJson(headers, filling) as Record<string, string>,
    body: filledJson(body, filling),
  }
}

function filledText(text: string, { id, other, unique }: Filling): string {
  return text.replaceAll(ID, id).replaceAll(OTHER, other).replaceAll(UNIQUE, unique)
}

/** The same JSON with every text in it filled. */
function filledJson(json: unknown, filling: Filling): unknown {
  if (typeof json === 'string') {
    return filledText(json, filling)
  }
  if (Array.isArray(json)) {
    return json.map((item) => filledJson(item, filling))
  }
  if (typeof json === 'object' && json !== null) {
    const entries = Object.entries(json)
    return Object.fromEntries(entries.map(([name, value]) => [name, filledJson(value, filling)]))
  }
  return json
}

/** The value at `/a/b` of a response. */
export function valueAt(json: unknown, path: string): string {
  let value = json
  for (const name of path.split('/').slice(1)) {
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  }
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new UserError(`A response has no id at ${path}: ${JSON.stringify(json)}`)
  }
  return String(value)
}

/** The agents to ask about. @throws UserError where the service does not answer or refuses */
export async function agentsOf(url: string, { agents }: Mapping): Promise<readonly string[]> {
  if (Array.isArray(agents)) {
    return agents
  }
  const ids: string[] = []
  for (let i = 0; i < agents.count; i++) {
    const unique = `${Date.now()}${i}`
    const filling = { id: '', other: '', unique }
    if ('named' in agents) {
      ids.push(filledText(agents.named, filling))
    } else {
      const response = await ask(url, agents.register, filling)
      ids.push(valueAt(await response.json(), agents.id))
    }
  }
  return ids
}

/** Asks once as the load will, so that a mistake in the mapping is explained before the first round. */
export async function tryRequest(
  url: string,
  request: MappedRequest,
  ids: readonly string[],
): Promise<void> {
  const [id = '', other = id] = ids
  const response = await ask(url, request, { id, other, unique: String(Date.now()) })
  await response.arrayBuffer()
  if (!response.headers.has('content-length') && !response.headers.has('transfer-encoding')) {
    throw new UserError(
      `${request.method} ${request.path}: the load finds the end of a response by a Content-Length or by chunks, and this one has neither.`,
    )
  }
}

/** @throws UserError where there is no answer, or another than a 2xx */
async function ask(url: string, request: MappedRequest, filling: Filling): Promise<Response> {
  const { method, path, headers, body } = filledRequest(request, filling)
  const asked = `${method} ${new URL(path, url)}`
  const response = await fetch(new URL(path, url), {
    method,
    // The load asks for no compression either: a compressed response has no length beforehand.
    headers: { 'accept-encoding': 'identity', 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((error: Error) => {
    const { message } = (error.cause ?? error) as Error
    throw new UserError(`${asked} has no answer: ${message}. Start the other service first.`)
  })
  if (!response.ok) {
    throw new UserError(`${asked} is answered with ${response.status}: ${await response.text()}`)
  }
  return response
}

/** One that waits, some, and as many as the other comparisons have. */
const CONNECTIONS = [1, 16, 64]

/**
 * Reads and then events of both services, at 1, 16 and 64 connections. The other one listens on loopback.
 *
 * @throws UserError where the other one does not answer or refuses
 */
export async function measureAgainst(
  { url, mapping }: Other,
  stage: Stage,
  load: Load,
  measure: (pairs: readonly Pair[]) => Promise<readonly Measured[]>,
): Promise<readonly Measured[]> {
  const ids = await agentsOf(url, mapping)
  const requests = ourRequests(stage)
  const ours = contendersOf(load, stage.service)
  const theirs = contendersOf(load, { pid: null, port: Number(new URL(url).port || 80) })
  const measured: Measured[] = []
  for (const what of ['read', 'event'] as const) {
    const mapped = mapping[what]
    if (mapped === undefined) {
      continue
    }
    await tryRequest(url, mapped, ids)
    const asked = ids.map((id, i) => mappedRequest(mapped, id, ids[(i + 1) % ids.length]))
    const pairs = CONNECTIONS.map((clients) => ({
      name: `${what} over ${clients}: ${mapping.name}`,
      ours: ours(requests[what], clients),
      anchor: theirs(asked, clients),
      target: null,
    }))
    measured.push(...(await measure(pairs)))
  }
  return measured
}
