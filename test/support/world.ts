import type { Standing } from '@standing/sdk'
import { vi } from 'vitest'
import { httpReceiver } from '../../src/delivery/testing/receiver.ts'
import { describedRoutes } from '../../src/describe.ts'
import type { Route } from '../../src/http/route.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import type { Schema } from './bad-values.ts'
import { document, type Operation } from './conformance.ts'
import { newAgent, newOwner, newPlatform, OPERATOR_KEY, type TestService } from './service.ts'

/** One operation, as the document describes it and as the routes declare it. */
export interface Described {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly callers: Route['callers']
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly bodySchema: Schema | undefined
  /** Bodies that are right, one of each shape. */
  readonly examples: readonly unknown[]
  readonly isBodyRequired: boolean
}

interface Body {
  readonly required?: boolean
  readonly content: {
    readonly 'application/json': {
      readonly schema: Schema
      readonly example?: unknown
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
    }
  }
}

export const OPERATIONS: readonly Described[] = describedRoutes()
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ method, path, callers }) => {
    const operation = document.paths[path]?.[method] as Operation & {
      readonly parameters?: Described['parameters']
      readonly requestBody?: Body
    }
    const media = operation.requestBody?.content['application/json']
    return {
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      callers,
      parameters: operation.parameters ?? [],
      bodySchema: media?.schema,
      examples: media?.example
        ? [media.example]
        : Object.values(media?.examples ?? {}).map(({ value }) => value),
      isBodyRequired: operation.requestBody?.required === true,
    }
  })

export const CALLERS = [
  'anonymous',
  'owner',
  'other owner',
  'agent',
  'other agent',
  'platform',
  'operator',
] as const

export type CallerName = (typeof CALLERS)[number]

export interface World {
  /** What each caller shows. */
  readonly headers: Readonly<Record<CallerName, Readonly<Record<string, string>>>>
  readonly agentId: string
  readonly deliveryId: string
  /** The path with the id of a thing in it that belongs to `owner` and is about `agent`. */
  fill(path: string): string
  /** A request of the operation by a caller who may make it, and about what is his. */
  request(operation: Described, body?: unknown): { url: string; init: RequestInit }
  /** How many rows each table holds, and what they add up to. */
  stored(): Promise<Readonly<Record<string, string>>>
  close(): Promise<void>
}

/** Somebody of each kind, and something of each kind that belongs to them. */
export async function createWorld(at: TestService): Promise<World> {
  const owner = await newOwner(at)
  const { agent } = await newAgent(at, owner)
  await newAgent(at, owner)
  const stranger = await newAgent(at)
  const platform = await newPlatform(at)
  await newPlatform(at)
  for (let i = 0; i < 2; i++)
    await platform.standing.events.submit(agent.id, { type: 'task.failed' })
  const contradictory = { type: 'task.completed', data: { success: false } } as const
  const held = await platform.standing.events.submit(agent.id, contradictory)
  await platform.standing.events.submit(agent.id, contradictory)
  const { credentials } = owner.standing
  const audit = { agentId: agent.id, type: 'Audit', claims: {} }
  for (let i = 0; i < 2; i++) await credentials.issue(audit)
  const credential = await credentials.issue(audit)
  const [signingKey] = await at.operator.operator.signingKeys()
  const { receiver, webhookId, deliveryId, listenerId } = await createWebhook(owner.standing)
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const key = (apiKey: string) => ({ 'x-api-key': apiKey })
  const headers: World['headers'] = {
    anonymous: {},
    owner: bearer(owner.token),
    'other owner': bearer(stranger.owner.token),
    agent: key(agent.apiKey),
    'other agent': key(stranger.agent.apiKey),
    platform: key(platform.platform.apiKey),
    operator: key(OPERATOR_KEY),
  }
  const ids: Readonly<Record<string, string>> = {
    '/v1/agents/{id}': agent.id,
    '/v1/scores/{id}': agent.id,
    '/v1/credentials/{id}': credential.id,
    '/v1/events/{id}': held.id,
    '/v1/status-lists/{list}/{purpose}': '1/revocation',
    '/v1/operator/agents/{id}': agent.id,
    '/v1/operator/events/{id}': held.id,
    '/v1/operator/keys/{kid}': signingKey?.kid ?? '',
    '/v1/operator/owners/{id}': owner.owner.id,
    '/v1/operator/platforms/{id}': platform.platform.id,
    '/v1/webhooks/{id}': webhookId,
    '/v1/webhooks/listeners/{id}': listenerId,
  }
  const fill = (whole: string) => {
    const path = whole.replace('{deliveryId}', deliveryId)
    if (!path.includes('{')) return path
    const template = Object.keys(ids).find((one) => path.startsWith(one))
    if (!template) throw new Error(`test/support/world.ts knows no thing for ${path}`)
    return template.replace(/\{.*\}/, ids[template] ?? '') + path.slice(template.length)
  }
  const named: Readonly<Record<string, string>> = {
    agentId: agent.id,
    credentialId: credential.id,
  }
  /** What an example names, and what a query must, is something that there is. */
  const real = (body: unknown) => {
    const own = Object.entries(Object(body)).filter(([, value]) => value === EXAMPLE_ID)
    const ids = own.flatMap(([name]) => (named[name] ? [[name, named[name]]] : []))
    return ids.length === 0 ? body : { ...Object(body), ...Object.fromEntries(ids) }
  }
  const queryOf = (parameters: Described['parameters']) => {
    const needed = parameters.filter((one) => one.in === 'query' && one.required)
    const texts = needed.map(({ name }) => `${name}=${named[name]}`)
    return texts.length === 0 ? '' : `?${texts.join('&')}`
  }
  const pool = createPool({ url: at.database.url }, { max: 1 })
  return {
    headers,
    agentId: agent.id,
    deliveryId,
    fill,
    request({ method, path, callers, examples, parameters }, body = examples[0]) {
      const who = CALLERS.find((name) => (callers as readonly string[]).includes(name))
      const own = { ...headers[who ?? 'anonymous'], 'content-type': 'application/json' }
      const text = body === undefined ? undefined : JSON.stringify(real(body))
      const init = { method, headers: own, ...(text === undefined ? {} : { body: text }) }
      return { url: at.url + fill(path) + queryOf(parameters), init }
    },
    async stored() {
      const tables = await pool.query(
        "select table_name from information_schema.tables where table_schema = 'public'",
      )
      const names = tables.rows.map((row: { table_name: string }) => row.table_name)
      const parts = names
        .filter((name) => !FLEETING.includes(name))
        .map((name) => {
          const sum = "count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0)"
          return `select '${name}' as name, ${sum} as state from ${name} t`
        })
      const { rows } = await pool.query(parts.join(' union all '))
      return Object.fromEntries(
        rows.map(({ name, state }: { name: string; state: string }) => [name, state]),
      )
    },
    async close() {
      await receiver.close()
      await pool.end()
    },
  }
}

/** The id that stands in every example. */
const EXAMPLE_ID = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'

/** The address with one parameter more. */
export function withQuery(url: string, name: string, value: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
}

/** Subscriptions, and deliveries that have arrived: nothing about them moves by itself. */
async function createWebhook(owner: Standing) {
  const receiver = await httpReceiver((_request, response) => response.end())
  const url = `http://127.0.0.1:${receiver.port}/`
  await owner.webhooks.create({ url, events: ['credential.issued'] })
  const { id } = await owner.webhooks.create({ url, events: ['credential.revoked'] })
  const { id: listenerId } = await owner.webhooks.listen({ events: ['*'] })
  await owner.webhooks.test(id)
  const { id: deliveryId } = await owner.webhooks.test(id)
  await vi.waitFor(
    async () => {
      const { data } = await owner.webhooks.deliveries(id, { status: 'delivered' })
      if (data.length < 2) throw new Error('the deliveries have not arrived')
    },
    { timeout: 10_000, interval: 20 },
  )
  return { receiver, webhookId: id, deliveryId, listenerId }
}

/** What refusals may leave behind: what they were counted by; and what nodes say of themselves. */
const FLEETING = [
  'login_failures',
  'request_quotas',
  'lookup_quotas',
  'delivery_nodes',
  'listeners',
]
