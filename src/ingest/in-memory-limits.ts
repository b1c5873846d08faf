import { nextCeiling } from '../domain/delegation.ts'
import { hasStarted, loweredStart } from '../domain/start.ts'
import type { AgentState } from '../store/store.ts'
import { limitReport, type OwnReport, startReport } from './own-report.ts'

/** Which agents limit each other: parents their children, and an owner's worst agent those that have not started. */
export interface InMemoryLimits {
  addAgent(ownerId: string, agentId: string): void
  addChild(parentId: string, childId: string): void
  /** Gives the children of an agent another parent, and returns them. */
  moveChildren(fromParentId: string, toParentId: string): readonly string[]
  /** Lowers or raises the ceiling of each child to what its parent's score is now. */
  limitChildren(parentId: string, at: number): void
  /** Lowers the ceilings of an owner's agents that have not started to the score of one that fell. */
  limitStarts(agentId: string, at: number): void
}

/** As it was when its children began to be limited: with `onlyScores` a state changes with the next event. */
type Parent = Pick<AgentState, 'agentId' | 'score' | 'status'>

export function createInMemoryLimits(
  stateOf: (agentId: string) => AgentState,
  record: (report: OwnReport, at: number) => void,
): InMemoryLimits {
  const children = new Map<string, readonly string[]>()
  /** The agents of each owner that had not started when they were last looked at. */
  const unstarted = new Map<string, string[]>()

  function isUnstarted(ownerId: string, agentId: string): boolean {
    const agentState = stateOf(agentId)
    return agentState.ownerId === ownerId && !hasStarted(agentState.evidence)
  }

  function limitChild(childId: string, parent: Parent, at: number): void {
    const { parentId, status, evidence } = stateOf(childId)
    const { parentCeiling } = evidence
    const ceiling = nextCeiling(parentCeiling, parent.score, parent.status)
    if (parentId === parent.agentId && status !== 'deactivated' && ceiling !== parentCeiling) {
      record(limitReport({ agentId: childId, parentId, ceiling }), at)
    }
  }

  return {
    addAgent(ownerId, agentId) {
      const ids = unstarted.get(ownerId)
      if (ids) {
        ids.push(agentId)
      } else {
        unstarted.set(ownerId, [agentId])
      }
    },
    addChild(parentId, childId) {
      children.set(parentId, [...(children.get(parentId) ?? []), childId])
    },
    moveChildren(fromParentId, toParentId) {
      const moved = children.get(fromParentId) ?? []
      children.set(toParentId, moved)
      return moved
    },
    limitChildren(parentId, at) {
      const { score, status } = stateOf(parentId)
      for (const childId of children.get(parentId) ?? []) {
        limitChild(childId, { agentId: parentId, score, status }, at)
      }
    },
    limitStarts(agentId, at) {
      const { ownerId, score, evidence } = stateOf(agentId)
      if (!hasStarted(evidence)) {
        return
      }
      const ids = (unstarted.get(ownerId) ?? []).filter((id) => isUnstarted(ownerId, id))
      unstarted.set(ownerId, ids)
      for (const id of ids) {
        const { evidence, status } = stateOf(id)
        const ceiling = status === 'deactivated' ? null : loweredStart(evidence, score)
        if (ceiling !== null) {
          record(startReport({ agentId: id, ownerId, ceiling }), at)
        }
      }
    },
  }
}
