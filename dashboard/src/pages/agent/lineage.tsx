import type { Agent } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { type AgentRoom, to } from '../../paths.ts'
import { AgentName } from './agent-name.tsx'

/** The agents whose record this one carries, or that carry its record. */
export function Lineage({ agent, room }: { agent: Agent; room: AgentRoom }) {
  const { successors: texts } = t.value
  const relatives = [
    [texts.replacedBy, agent.successorId],
    [texts.replaces, agent.predecessorId],
  ] as const
  return (
    <>
      {relatives.map(
        ([says, id]) =>
          id && (
            <p key={id} class="banner">
              {says}{' '}
              <a href={to.agent(room, id)}>
                <AgentName id={id} />
              </a>
            </p>
          ),
      )}
    </>
  )
}
