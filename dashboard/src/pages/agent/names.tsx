import { getAgent } from '../../api/agents.ts'
import { getPlatform } from '../../api/events.ts'
import { type ResourceOptions, useResource } from '../../api/resource.ts'
import type { Reporter } from '../../api/types.ts'
import { shortId } from '../../ids.ts'
import { t } from '../../messages/index.ts'

/** Names seldom change: each is read once a visit. */
const NAMES: ResourceOptions = { freshMs: 10 * 60_000 }

/** An agent by its name, and by the end of its id until that is known. */
export function AgentName({ id }: { id: string }) {
  const agent = useResource(`agent:${id}`, (signal) => getAgent(id, signal), NAMES)
  return <span title={id}>{agent.data?.displayName ?? shortId(id)}</span>
}

/** Who reported: a platform by its name, and by the end of its id until that is known. */
export function ReporterName({ reporter: { kind, id } }: { reporter: Reporter }) {
  const key = kind === 'platform' ? `platform:${id}` : null
  const platform = useResource(key, (signal) => getPlatform(id, signal), NAMES)
  const kindName = t.value.why.reporters[kind]
  return (
    <span title={id}>
      {key === null ? kindName : (platform.data?.name ?? `${kindName} ${shortId(id)}`)}
    </span>
  )
}
