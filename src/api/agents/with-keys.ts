import type { Agent } from '../../domain/agent.ts'
import type { Store } from '../../store/store.ts'
import { keysOf } from '../key-records.ts'
import { presentAgent } from './present.ts'

/** An agent as its owner, the operator and the agent itself see it. */
export async function presentWithKeys(store: Pick<Store, 'keys'>, agent: Agent) {
  return presentAgent(agent, await keysOf(store, agent.id))
}
