import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { median } from '../../../src/lib/statistics.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import type { Table } from '../../report.ts'
import { type Load, ourRequests } from './contenders.ts'
import { MARK } from './load.ts'
import type { Options } from './options.ts'
import { requestBytes } from './requests.ts'
import type { Stage } from './stage.ts'

/** In a path and in the texts of a body: an agent's id at the other service, and a new number each time. */
const ID = '{id}'
const UNIQUE = '{unique}'

const requestShape = z.strictObject({
  method: z.enum(['GET', 'POST']),
  path: z.string().startsWith('/'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown().optional(),
})

/** How another service is asked for the same as this one. */
const mappingShape = z.strictObject({
  name: z.string(),
  /** The ids of its agents, or how one is registered and where the response has its id. */
  agents: z.union([
    z.array(z.string()).nonempty(),
    z.strictObject({
      count: z.number().int().positive(),
      register: requestShape,
      id: z.string(),
    }),
  ]),
  read: requestShape.optional(),
  event: requestShape.optional(),
})

export type Mapping = z.infer<typeof mappingShape>
type MappedRequest = z.infer<typeof requestShape>

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

/** The bytes of a request about one agent. */
export function mappedRequest({ method, path, headers, body }: MappedRequest, id: string) {
  const fill = (text: string) => text.replaceAll(ID, id).replaceAll(UNIQUE, MARK)
  const filled = body === undefined ? undefined : JSON.parse(fill(JSON.stringify(body)))
  return requestBytes(method, fill(path), headers, filled)
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

async function agentsOf(url: string, { agents }: Mapping): Promise<readonly string[]> {
  if (Array.isArray(agents)) {
    return agents
  }
  const { count, register, id } = agents
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const fill = (text: string) => text.replaceAll(UNIQUE, `${Date.now()}${i}`)
    const response = await fetch(new URL(fill(register.path), url), {
      method: register.method,
      headers: { 'content-type': 'application/json', ...register.headers },
      body: register.body === undefined ? null : fill(JSON.stringify(register.body)),
    })
    if (!response.ok) {
      throw new UserError(`Registering an agent: ${response.status} ${await response.text()}`)
    }
    ids.push(valueAt(await response.json(), id))
  }
  return ids
}

/** One that waits, some, and as many as the other comparisons have. */
const CONNECTIONS = [1, 16, 64]

export interface AgainstRow {
  readonly name: string
  readonly ours: number
  readonly anchor: number
  readonly ratio: number
  readonly runs: readonly { readonly ours: number; readonly anchor: number }[]
}

/** Reads and events of both in turns, at 1, 16 and 64 connections. The other one listens on loopback. */
export async function measureAgainst(
  url: string,
  mapping: Mapping,
  stage: Stage,
  load: Load,
  { rounds, roundMs }: Options,
  onRow: (row: AgainstRow) => void,
): Promise<readonly AgainstRow[]> {
  const ids = await agentsOf(url, mapping)
  const port = Number(new URL(url).port || 80)
  const ours = ourRequests(stage)
  const rows: AgainstRow[] = []
  for (const what of ['read', 'event'] as const) {
    const mapped = mapping[what]
    if (mapped === undefined) {
      continue
    }
    const theirs = ids.map((id) => mappedRequest(mapped, id))
    for (const clients of CONNECTIONS) {
      const runs: { ours: number; anchor: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const own = await load.http(stage.service.port, ours[what], roundMs, clients)
        const other = await load.http(port, theirs, roundMs, clients)
        runs.push({ ours: own.perSecond, anchor: other.perSecond })
      }
      const row = {
        name: `${what} over ${clients}: ${mapping.name}`,
        ours: median(runs.map((run) => run.ours)),
        anchor: median(runs.map((run) => run.anchor)),
        ratio: median(runs.map((run) => run.ours / run.anchor)),
        runs,
      }
      rows.push(row)
      onRow(row)
    }
  }
  return rows
}

export function againstTable(rows: readonly AgainstRow[]): Table {
  return {
    head: ['what, over how many connections', 'ours/s', 'theirs/s', 'ratio', 'min..max'],
    rows: rows.map(({ name, ours, anchor, ratio, runs }) => {
      const ratios = runs.map((run) => run.ours / run.anchor)
      const range = `${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}`
      const whole = (value: number) => Math.round(value).toLocaleString('en-GB')
      return [name, whole(ours), whole(anchor), ratio.toFixed(2), range]
    }),
  }
}
