import { createHash, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { type Request, type Response } from 'express'
import pg from 'pg'

/**
 * Two of the endpoints, written simply with Express and pg: the key is looked up for each request, and
 * each event has a transaction that locks the row of its agent. It counts good and bad events, without
 * fraud rules, idempotency, limits or decay. Its responses are shorter than those of the service.
 */
export async function servePlain(databaseUrl: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 })
  const app = express()
  app.use(express.json())
  app.get('/v1/agents/:id/score', (request, response) => readScore(pool, request, response))
  app.post('/v1/agents/:id/events', (request, response) => takeEvent(pool, request, response))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}

type ForAgent = Request<{ id: string }>

async function readScore(pool: pg.Pool, { params: { id } }: ForAgent, response: Response) {
  const { rows } = await pool.query('select * from plain_agents where id = $1', [id])
  const [agent] = rows
  if (!agent) {
    return void response.status(404).json({ error: 'no such agent' })
  }
  response.json({ agentId: id, score: agent.score, eventCount: agent.good + agent.bad })
}

async function takeEvent(pool: pg.Pool, request: ForAgent, response: Response) {
  const agentId = request.params.id
  const key = createHash('sha256')
    .update(String(request.get('x-api-key')))
    .digest('hex')
  const found = await pool.query('select id from plain_platforms where key_hash = $1', [key])
  const platform = found.rows[0]
  if (!platform) {
    return void response.status(401).json({ error: 'unknown key' })
  }
  const { type, data = {}, occurredAt = new Date() } = request.body
  if (typeof type !== 'string') {
    return void response.status(400).json({ error: 'type is required' })
  }
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
      return void response.status(404).json({ error: 'no such agent' })
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
    if (score !== agent.score) {
      await client.query(
        'insert into plain_score_history (agent_id, score, event_id) values ($1, $2, $3)',
        [agentId, score, event.id],
      )
    }
    await client.query('commit')
    response.status(201).json(event)
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
