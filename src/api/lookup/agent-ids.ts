import type { Mode } from '../../domain/mode.ts'
import { inSlices } from '../../lib/slices.ts'
import { Id } from '../wire.ts'
import type { LookupCache } from './lookup-cache.ts'

/** The agents with these ids, or that have proven these names in this mode, by these ids and names. */
export async function agentIdsOf(
  names: LookupCache,
  idsOrNames: readonly string[],
  mode: Mode,
): Promise<ReadonlyMap<string, string>> {
  const agents = new Map<string, string>()
  const asked: string[] = []
  for await (const one of inSlices(new Set(idsOrNames))) {
    const id = Id.safeParse(one)
    if (id.success) {
      agents.set(one, id.data)
    } else {
      asked.push(one)
    }
  }
  for (const [name, { agentId }] of await names.holders(asked, mode)) {
    if (agentId !== null) {
      agents.set(name, agentId)
    }
  }
  return agents
}
