import { listActors } from '../../api/agents.ts'
import { useResource } from '../../api/resource.ts'
import type { Agent } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import type { Kind } from '../../session/session.ts'
import { AgentName } from './names.tsx'

/** The agents whose record this one carries, that carry its record, or that it acts for. */
export function Lineage({ agent, kind }: { agent: Agent; kind: Kind }) {
  const { successors: texts } = t.value
  const relatives = [
    [texts.replacedBy, agent.successorId],
    [texts.replaces, agent.predecessorId],
    [texts.actsFor, agent.parentId],
  ] as const
  return (
    <>
      {relatives.map(
        ([says, id]) =>
          id && (
            <p key={id} class="banner">
              {says}{' '}
              <a href={to.agent(kind, id)}>
                <AgentName id={id} />
              </a>
            </p>
          ),
      )}
      {kind === 'owner' && <Actors id={agent.id} />}
    </>
  )
}

/** The agents that act for this one; only its owner may list them. */
function Actors({ id }: { id: string }) {
  const { data } = useResource(`actors:${id}`, (signal) => listActors(id, signal))
  if (!data || data.data.length === 0) {
    return null
  }
  return (
    <p class="banner lineage">
      {t.value.successors.actors}
      {data.data.map(({ id: actor, displayName }) => (
        <a key={actor} href={to.agent('owner', actor)}>
          {displayName}
        </a>
      ))}
    </p>
  )
}
