import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

/**
 * The same two endpoints as anyone would write them in an afternoon: node:http and pg, the key looked
 * up for each request, one transaction an event with the agent's row locked. It counts good and bad
 * and checks next to nothing: no fraud rules, no idempotency, no limits, no decay. What it answers is
 * shorter than ours, and without a framework it is faster than it would be on one.
 */
export async function servePlain(databaseUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  const server = createServer((request, response) => {
    route(pool, request, response).catch((error: unknown) => {
      send(response, 500, { error: String(error) })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function route(pool: pg.Pool, request: IncomingMessage, response: ServerResponse) {
  const path = new URL(request.url ?? '/', 'http://plain').pathname.split('/')
  const [, , noun, agentId = '', what] = path
  if (noun === 'agents' && what === 'score' && request.method === 'GET')
    return readScore(pool, agentId, response)
  if (noun === 'agents' && what === 'events' && request.method === 'POST')
    return takeEvent(pool, agentId, request, response)
  send(response, 404, { error: 'not found' })
}

async function readScore(pool: pg.Pool, agentId: string, response: ServerResponse) {
  const { rows } = await pool.query('select * from plain_agents where id = $1', [agentId])
  const [agent] = rows
  if (!agent) return send(response, 404, { error: 'no such agent' })
  send(response, 200, { agentId, score: agent.score, eventCount: agent.good + agent.bad })
}

async function takeEvent(
  pool: pg.Pool,
  agentId: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const key = createHash('sha256').update(String(request.headers['x-api-key'])).digest('hex')
  const found = await pool.query('select id from plain_platforms where key_hash = $1', [key])
  const platform = found.rows[0]
  if (!platform) return send(response, 401, { error: 'unknown key' })
  const { type, data = {}, occurredAt = new Date() } = await readJson(request)
  if (typeof type !== 'string') return send(response, 400, { error: 'type is required' })
  const event = { id: randomUUID(), agentId, reporterId: platform.id, type, data, occurredAt }
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select * from plain_agents where id = $1 for update', [
      agentId,
    ])
    const [agent] = rows
    if (!agent) {
      await client.query('rollback')
      return send(response, 404, { error: 'no such agent' })
    }
    await client.query(
      `insert into plain_events (id, agent_id, reporter_id, type, data, occurred_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [event.id, agentId, platform.id, type, JSON.stringify(data), occurredAt],
    )
    const good = agent.good + (type.endsWith('.completed') ? 1 : 0)
    const bad = agent.bad + (type.endsWith('.completed') ? 0 : 1)
    const score = Math.round((1000 * (1 + good)) / (10 + good + 5 * bad))
    await client.query('update plain_agents set good = $2, bad = $3, score = $4 where id = $1', [
      agentId,
      good,
      bad,
      score,
    ])
    if (score !== agent.score)
      await client.query(
        'insert into plain_score_history (agent_id, score, event_id) values ($1, $2, $3)',
        [agentId, score, event.id],
      )
    await client.query('commit')
    send(response, 201, event)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function readJson(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
