import { register } from '../../../api/auth.ts'
import { call } from '../../../api/client.ts'
import { importPast } from '../../../api/imports.ts'
import { createPlatform } from '../../../api/operator.ts'
import type { AgentWithKey } from '../../../api/types.ts'
import { randomHex } from '../../../random.ts'
import { demoPast, STORIES } from './past.ts'

/** Who may sign in to see the demo's agents as their owner does. */
export interface DemoOwner {
  readonly email: string
  readonly password: string
}

/** Admits two platforms, opens an account with three agents, and imports four months about them. */
export async function loadDemo(): Promise<DemoOwner> {
  const owner = { email: `demo-${randomHex(3)}@example.com`, password: randomHex(12) }
  const { credential } = await register({ ...owner, name: 'Demo owner' })
  const agents: string[] = []
  for (const { name } of STORIES) {
    const body = { displayName: name }
    agents.push((await call<AgentWithKey>('POST', '/v1/agents', { body, credential })).id)
  }
  const platforms: string[] = []
  for (const name of ['Demo Market', 'Demo Exchange']) {
    const body = { name, tier: 'platform', publicKey: null, verified: true } as const
    platforms.push((await createPlatform(body)).id)
  }
  const file = new Blob([demoPast(agents, platforms, Date.now())])
  await importPast(file, { name: 'demo', dryRun: 'false' })
  return owner
}
