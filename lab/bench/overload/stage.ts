import { Standing } from '@standing/sdk'
import { OPERATOR_KEY } from '../../service-process.ts'
import { openDatabase } from '../database.ts'
import { BATCH, batchOf, eventOf, requestBytes } from '../rates/requests.ts'
import { startService } from '../service.ts'

export interface OverloadStage {
  readonly url: string
  readonly port: number
  readonly loads: readonly {
    readonly name: string
    /** Events that one request carries. */
    readonly perRequest: number
    readonly requests: readonly Uint8Array[]
  }[]
  close(): Promise<void>
}

/** Enough that no single account is what the service protects itself from. */
const PLATFORMS = 10
const AGENTS = 500

/** The service on its own embedded database, limits off, with some platforms and many agents. */
export async function openOverloadStage(): Promise<OverloadStage> {
  const database = await openDatabase()
  const service = await startService(database.url)
  const { agentIds, keys } = await enroll(service.url)
  const post = (i: number, path: string, body: unknown) => {
    const key = { 'x-api-key': keys[i % keys.length] ?? '' }
    return requestBytes('POST', `/v1/agents/${agentIds[i]}/${path}`, key, body)
  }
  return {
    url: service.url,
    port: service.port,
    loads: [
      {
        name: 'batches of 100',
        perRequest: BATCH,
        requests: agentIds.map((_, i) => post(i, 'events/batch', batchOf(i))),
      },
      {
        name: 'single events',
        perRequest: 1,
        requests: agentIds.map((_, i) => post(i, 'events', eventOf(i))),
      },
    ],
    async close() {
      await service.end()
      await database.close()
    },
  }
}

async function enroll(baseUrl: string) {
  const operator = new Standing({ baseUrl, operatorKey: OPERATOR_KEY })
  const keys: string[] = []
  for (let i = 0; i < PLATFORMS; i++) {
    keys.push(
      (await operator.operator.createPlatform({ name: `platform ${i}`, verified: true })).apiKey,
    )
  }
  const password = 'correct horse battery staple'
  const { owner, token } = await operator.auth.register({ email: 'bench@example.com', password })
  await operator.operator.setOwnerTier(owner.id, 'platform')
  const its = new Standing({ baseUrl, token })
  const agentIds: string[] = []
  for (let i = 0; i < AGENTS; i++) {
    agentIds.push((await its.agents.register({ displayName: `agent ${i}` })).id)
  }
  return { agentIds, keys }
}
