import type { Agent } from '../../domain/agent.ts'
import type { Store } from '../../store/store.ts'
import { validKeysOf } from '../valid-keys.ts'
import { presentAgent } from './present.ts'

/** An agent as its owner, the operator and the agent itself see it. */
export async function presentWithKeys(
  store: Pick<Store, 'keys'>,
  { now }: { readonly now: () => number },
  agent: Agent,
) {
  return presentAgent(agent, await validKeysOf(store, agent.id, now()))
}
