import { Standing } from '@standing/sdk'
import type pg from 'pg'
import { createPool } from '../../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../../src/store/postgres/store.ts'
import type { Store } from '../../../src/store/store.ts'
import { OPERATOR_KEY } from '../../service-process.ts'
import { openDatabase } from '../database.ts'
import { startService } from '../service.ts'
import { type History, recordHistory } from './history.ts'

/** The service, and one agent with a long history. */
export interface LongStage {
  readonly url: string
  readonly agentId: string
  readonly store: Store
  readonly pool: pg.Pool
  readonly operator: Standing
  readonly owner: Standing
  readonly platform: Standing
  readonly history: History
  close(): Promise<void>
}

/** A release folds the rest of the log: the longest that is measured. */
const TIMEOUT_MS = 300_000

/** So many events about one agent, recorded as the service records them. */
export async function openLongStage(events: number): Promise<LongStage> {
  const database = await openDatabase()
  const service = await startService(database.url)
  const baseUrl = service.url
  const operator = new Standing({ baseUrl, operatorKey: OPERATOR_KEY, timeoutMs: TIMEOUT_MS })
  const platforms = []
  for (const name of ['one', 'two', 'three']) {
    platforms.push(await operator.operator.createPlatform({ name, verified: true }))
  }
  const password = 'correct horse battery staple'
  const session = await operator.auth.register({ email: 'bench@example.com', password })
  const owner = new Standing({ baseUrl, token: session.token, timeoutMs: TIMEOUT_MS })
  const agent = await owner.agents.register({ displayName: 'long' })
  const pool = createPool(database.connection)
  const store = createPostgresStore(pool)
  const platformIds = platforms.map(({ id }) => id)
  const history = await recordHistory(store, { agentId: agent.id, platformIds, events })
  return {
    url: baseUrl,
    agentId: agent.id,
    store,
    pool,
    operator,
    owner,
    platform: new Standing({ baseUrl, apiKey: platforms[0]?.apiKey ?? '' }),
    history,
    async close() {
      await service.end()
      await pool.end()
      await database.close()
    },
  }
}
