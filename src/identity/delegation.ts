import type { Agent } from '../domain/agent.ts'
import {
  ANCESTORS_MAX,
  CHILDREN_MAX,
  type ChildReport,
  childCeiling,
  nextCeiling,
} from '../domain/delegation.ts'
import { checkLimit, invalidField, TrustError } from '../domain/error.ts'
import { MODEL } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import { scoringTime } from '../domain/time.ts'
import { limitReport, parentReport } from '../ingest/own-report.ts'
import { type Recorder, recordOwnReports } from '../ingest/record-reports.ts'
import { failuresOf } from '../lib/each-agent.ts'
import { throwFirst } from '../lib/failures.ts'
import type { AgentState, DelegationTask, Store } from '../store/store.ts'
import { registerAgent } from './agents.ts'
import type { StartLimits } from './starts.ts'

/** Registers an agent that acts for another one of its owner. It scores no higher than that one. */
export async function registerChild(
  within: Store,
  recorder: Recorder,
  ownerId: string,
  given: Pick<Agent, 'displayName' | 'metadata'> & { readonly parentId: string },
): Promise<Agent> {
  const { parentId } = given
  await checkParent(within, ownerId, parentId)
  // The owner is locked first, and then the agents in the order of their ids.
  const child = await registerAgent(within, recorder, ownerId, given)
  const parent = await within.agentStates.find({ agentId: parentId }, { lock: 'wait' })
  if (parent?.ownerId !== ownerId || parent.status !== 'active') {
    throw new TrustError('CONFLICT', 'the parent has changed meanwhile; try again')
  }
  const others = (await within.agents.count({ parentId })) - 1
  const refusal = `an agent has room for ${CHILDREN_MAX} children; deactivate one`
  checkLimit('max_children', others, CHILDREN_MAX, refusal)
  const ceiling = childCeiling(scoreNow(recorder, parent), parent.status)
  const limit = limitReport({ agentId: child.id, parentId, ceiling })
  await recordOwnReports(within, recorder, [limit])
  return child
}

/** It exists, is the owner's, is in use, and is not itself below too many others. */
async function checkParent(within: Store, ownerId: string, parentId: string): Promise<void> {
  const parent = await within.agents.find({ id: parentId })
  if (parent?.ownerId !== ownerId) {
    throw invalidField('parentId', 'must be an agent of this account')
  }
  if (parent.status !== 'active') {
    throw invalidField('parentId', `must be an active agent; this one is ${parent.status}`)
  }
  if ((await ancestorsOf(within, parent.id)).length >= ANCESTORS_MAX) {
    throw invalidField('parentId', `must not have ${ANCESTORS_MAX} agents above it`)
  }
}

/** Carries out a task, in a transaction of its own for each agent that it writes to. Yields between its parts. */
export async function* carryOut(
  store: Store,
  recorder: Recorder,
  starts: StartLimits,
  { id, agentId, report }: DelegationTask,
): AsyncGenerator<void, void> {
  if (report === null) {
    await limitChildren(store, recorder, agentId)
    yield* starts.limit(agentId)
    await store.delegationTasks.delete({ id })
    return
  }
  await store.transaction(async (within) => {
    if (!(await within.delegationTasks.delete({ id }))) {
      return
    }
    const ancestors = await ancestorsOf(within, agentId)
    await lockFor(within, ancestors, report)
    if (await isDiscarded(within, agentId, report)) {
      return
    }
    const reports = ancestors.map((ancestorId) => parentReport(ancestorId, report))
    await recordOwnReports(within, recorder, reports)
  })
}

/**
 * The platform is locked against a request to discard its reports: either the request waits until the reports about the
 * ancestors are written, or the discard is found. Other reports of the platform do not wait for this lock.
 */
async function lockFor(
  within: Store,
  ancestors: readonly string[],
  { reporter }: ChildReport,
): Promise<void> {
  if (reporter.kind === 'platform') {
    await within.platforms.find({ id: reporter.id }, { lock: 'share' })
  }
  for (const id of ancestors.toSorted()) {
    await within.agentStates.find({ agentId: id }, { lock: 'wait' })
  }
}

/**
 * Whether the operator has discarded what the reporter of a child's event had reported up to then. The time of the
 * event decides: the discard may have checked the parent before the child, and a review may release the event after
 * both.
 */
async function isDiscarded(
  within: Store,
  childId: string,
  { voter, reporter, data }: ChildReport,
): Promise<boolean> {
  const discard = await within.discards.latestOf(voter ?? reporter.id)
  if (!discard || data.childEventId === undefined) {
    return false
  }
  const event = await within.events.find({ agentId: childId, id: data.childEventId })
  return event !== null && event.createdAt <= discard.requestedAt
}

/**
 * Lowers or raises the ceiling of each child to what its parent's score is now. Throws the first failure once each
 * child had its turn.
 */
export async function limitChildren(
  store: Store,
  recorder: Recorder,
  parentId: string,
): Promise<void> {
  const limit = (childId: string) =>
    store.transaction((within) => limitChild(within, recorder, childId))
  const failures: unknown[] = []
  for await (const children of store.agentStates.agentIds({ parentId })) {
    failures.push(...(await failuresOf(children, limit)))
  }
  throwFirst(failures)
}

/** The child is locked first: of two that limit it, the later one reads what the earlier one read, or newer. */
async function limitChild(within: Store, recorder: Recorder, agentId: string): Promise<void> {
  const child = await within.agentStates.find({ agentId }, { lock: 'wait' })
  const parent = child?.parentId ? await within.agentStates.find({ agentId: child.parentId }) : null
  if (!child || !parent || child.status === 'deactivated') {
    return
  }
  const { parentCeiling } = child.evidence
  const ceiling = nextCeiling(parentCeiling, scoreNow(recorder, parent), parent.status)
  if (ceiling !== parentCeiling) {
    const limit = limitReport({ agentId, parentId: parent.agentId, ceiling })
    await recordOwnReports(within, recorder, [limit])
  }
}

/** Its parent, the parent of that one, and so on. */
async function ancestorsOf(within: Store, agentId: string): Promise<readonly string[]> {
  const ancestors: string[] = []
  let parentId = (await within.agents.find({ id: agentId }))?.parentId ?? null
  while (parentId !== null) {
    ancestors.push(parentId)
    parentId = (await within.agents.find({ id: parentId }))?.parentId ?? null
  }
  return ancestors
}

/** The score as it is served at this moment. */
function scoreNow({ now }: Recorder, agentState: AgentState): number {
  return scoreAt(MODEL, agentState.evidence, scoringTime(agentState, now())).score
}
