import type { Store } from '../store/store.ts'

/** All agents, a part at a time; none more once the service stops, however many there are. */
export async function* everyAgent(
  { agentStates }: Pick<Store, 'agentStates'>,
  isStopping: () => boolean,
): AsyncIterable<readonly string[]> {
  if (isStopping()) {
    return
  }
  for await (const agentIds of agentStates.agentIds()) {
    yield agentIds
    if (isStopping()) {
      return
    }
  }
}
