import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { Standing } from '@standing/sdk'
import pg from 'pg'
import { OPERATOR_KEY } from '../../service-process.ts'
import { openDatabase } from '../database.ts'
import { type OurService, startService } from '../service.ts'
import { BARE_SCHEMA } from './inserts.ts'
import { PLAIN_SCHEMA } from './plain/schema.ts'

/** What a service is asked about: agents of one owner, and the platforms that ask. */
export interface Enrolled {
  readonly agentIds: readonly string[]
  /** A verified identifier of each agent. */
  readonly names: readonly string[]
  readonly platformId: string
  readonly platformKey: string
  /** A platform that reports nothing. The gate refuses agents that its platform reported bad events of. */
  readonly gatewayKey: string
}

/** The service that is measured, on one PostgreSQL, with its agents and platforms. */
export interface Stage extends Enrolled {
  readonly databaseUrl: string
  readonly postgresPid: number
  readonly service: OurService
  end(): Promise<void>
}

/** Enough that two requests in flight are seldom about the same one. */
const AGENTS = 500

/**
 * Room for every side's connections at once: 64 of the INSERTs, 20 of the plain service, and 18 of each service,
 * of which a profile needs a second one. All else is as the service sets it.
 */
const CONNECTIONS = '140'

export async function setStage(): Promise<Stage> {
  const database = await openDatabase({ max_connections: CONNECTIONS })
  const databaseUrl = database.url
  const service = await startService(databaseUrl)
  const enrolled = await enrollOn(service)
  await prepareAnchors(databaseUrl, enrolled)
  return {
    ...enrolled,
    databaseUrl,
    postgresPid: database.pid,
    service,
    async end() {
      await service.end()
      await database.close()
    },
  }
}

export async function enrollOn({ url }: Pick<OurService, 'url'>): Promise<Enrolled> {
  const operator = new Standing({ baseUrl: url, operatorKey: OPERATOR_KEY })
  const platform = await operator.operator.createPlatform({
    name: 'bench',
    verified: true,
  })
  const gateway = await operator.operator.createPlatform({ name: 'bench gateway', verified: true })
  const gate = new Standing({ baseUrl: url, apiKey: gateway.apiKey })
  await gate.policies.put('gate', { minScore: 0 })
  const { owner, token } = await operator.auth.register({
    email: 'bench@example.com',
    password: 'correct horse battery staple',
  })
  await operator.operator.setOwnerTier(owner.id, 'platform')
  const its = new Standing({ baseUrl: url, token })
  const agentIds: string[] = []
  const names: string[] = []
  for (let i = 0; i < AGENTS; i++) {
    const { id } = await its.agents.register({ displayName: `agent ${i}` })
    agentIds.push(id)
    names.push(await verifiedName(its, id))
  }
  return {
    agentIds,
    names,
    platformId: platform.id,
    platformKey: platform.apiKey,
    gatewayKey: gateway.apiKey,
  }
}

/** A key as the agent's name, proven by its signature. */
async function verifiedName(owner: Standing, agentId: string): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }))
  const value = `did:jwk:${Buffer.from(jwk).toString('base64url')}`
  const claim = await owner.identifiers.claim(agentId, { type: 'did', value })
  const signature = sign(null, Buffer.from(claim.challenge ?? ''), privateKey)
  await owner.identifiers.verify(agentId, claim.id, { signature: signature.toString('base64url') })
  return value
}

async function prepareAnchors(
  databaseUrl: string,
  { agentIds, platformId, platformKey }: Enrolled,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(BARE_SCHEMA)
  await client.query(PLAIN_SCHEMA)
  const keyHash = createHash('sha256').update(platformKey).digest('hex')
  await client.query('insert into plain_platforms values ($1, $2)', [platformId, keyHash])
  await client.query('insert into plain_agents (id) select unnest($1::uuid[])', [agentIds])
  await client.end()
}
