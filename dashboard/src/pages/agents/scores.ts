import { useEffect } from 'preact/hooks'
import { useResource } from '../../api/resource.ts'
import { getScores } from '../../api/scores.ts'
import type { Agent, Score } from '../../api/types.ts'
import type { Scores } from './order.ts'

/** Every score costs one lookup of the month, so a list does not ask for the same one each minute. */
const FRESH_MS = 5 * 60_000

interface Known extends Score {
  readonly readAt: number
}

const NONE: Scores = new Map()

/** The scores of a list of agents, read 100 at a time as the list grows; those `first` that are looked at. */
export function useScores(
  agents: readonly Agent[],
  first: { readonly current: readonly Agent[] },
): Scores {
  const { data, error, reload, isLoading } = useResource<ReadonlyMap<string, Known>>(
    agents.length === 0 ? null : 'scores',
    async (signal, before) => {
      const readAt = Date.now()
      const isOld = ({ id }: Agent) => readAt - (before?.get(id)?.readAt ?? 0) > FRESH_MS
      const missing = new Set([...first.current, ...agents].filter(isOld).map(({ id }) => id))
      const read = await getScores([...missing].slice(0, READ_MAX), signal)
      const known = new Map(before)
      for (const score of read) {
        known.set(score.agentId, { ...score, readAt })
      }
      return known
    },
    { freshMs: FRESH_MS },
  )
  const isMissing = data !== undefined && agents.some(({ id }) => !data.has(id))
  useEffect(() => {
    if (isMissing && !isLoading && error === undefined) {
      reload()
    }
  })
  return data ?? NONE
}

/** Read in one go; the first ones are shown while the next are read. */
const READ_MAX = 100
