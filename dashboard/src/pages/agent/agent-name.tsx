import { getAgent } from '../../api/agents.ts'
import { useResource } from '../../api/resource.ts'
import { shortId } from '../../ui/short-id.ts'

/** Names seldom change. */
const FRESH_MS = 10 * 60_000

/** An agent by its name, and by the end of its id until that is known. */
export function AgentName({ id }: { id: string }) {
  const agent = useResource(`agent:${id}`, (signal) => getAgent(id, signal), { freshMs: FRESH_MS })
  return <span title={id}>{agent.data?.displayName ?? shortId(id)}</span>
}
