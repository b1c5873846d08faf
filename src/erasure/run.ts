/**
 * The part of an erasure that grows with a history: events, notifications, audit entries. It is done in
 * short transactions, each of which may run again, so a process that ends in the middle leaves nothing
 * half-done: the next one, on any node, begins again and finds less to do.
 */
import type { RecordedEvent, Review } from '../domain/agent.ts'
import type { Sources } from '../lib/sources.ts'
import { rewriteEvents, withoutText } from '../retention/rewrite.ts'
import type { Erasure, Store } from '../store/store.ts'
import { removeAgent } from './request.ts'

/** Rows of one transaction: an agent's reports wait for some tens of milliseconds at most. */
const PART = 1_000

/** Audit entries looked at by one statement. */
const AUDIT_PART = 10_000

/** Erasures read at a time. */
const ROUND = 10

/** The first wait of an erasure that failed; each further one is twice as long, up to the longest. */
const RETRY_MS = 60_000
const RETRY_MS_MAX = 60 * 60_000

/** An erasure that failed on this node. */
export interface FailedErasure {
  readonly failures: number
  readonly retryAt: number
}

export interface ErasureRun extends Sources {
  readonly store: Store
  /** By the owner or the agent. Lost when the process ends: the next one tries each once more. */
  readonly failed: Map<string, FailedErasure>
  /** Checked between parts: a service that stops leaves the rest to the next start. */
  readonly isStopping: () => boolean
  /** Called for an erasure that failed, which a later run continues. */
  readonly onError: (error: unknown) => void
}

/** Finishes what was begun. How many erasures are finished now; those that fail delay no other. */
export async function runErasures(run: ErasureRun): Promise<number> {
  let finished = 0
  let erasures = await dueErasures(run)
  while (erasures.length > 0 && !run.isStopping()) {
    for (const erasure of erasures) {
      finished += (await tryErasure(run, erasure)) ? 1 : 0
    }
    erasures = await dueErasures(run)
  }
  return finished
}

function dueErasures({ store, now, failed }: ErasureRun): Promise<readonly Erasure[]> {
  const waiting = [...failed].filter(([, { retryAt }]) => retryAt > now())
  return store.erasures.waiting(
    waiting.map(([subjectId]) => subjectId),
    ROUND,
  )
}

async function tryErasure(run: ErasureRun, erasure: Erasure): Promise<boolean> {
  const { subjectId } = erasure
  const { failed, now, onError } = run
  try {
    const isFinished = await finishErasure(run, erasure)
    failed.delete(subjectId)
    return isFinished
  } catch (error) {
    const failures = failed.get(subjectId)?.failures ?? 0
    const waitMs = Math.min(RETRY_MS * 2 ** failures, RETRY_MS_MAX)
    failed.set(subjectId, { failures: failures + 1, retryAt: now() + waitMs })
    onError(error)
    return false
  }
}

async function finishErasure(run: ErasureRun, erasure: Erasure): Promise<boolean> {
  const { store, now, isStopping } = run
  const { subjectId, kind, ownerId, relatedIds } = erasure
  const agentIds = kind === 'agent' ? [subjectId] : await removeAgents(run, ownerId)
  for (const agentId of agentIds) {
    await rewriteEvents(run, agentId, { what: 'all' }, withoutPersonal)
    // Those for others too, whether they still watch the agent or not.
    await repeat(run, () => store.erasures.eraseNotifications({ agentId }, PART))
  }
  const ids =
    kind === 'agent' ? [] : [ownerId, ...relatedIds, ...(await removeAccount(run, ownerId))]
  if (kind === 'owner') {
    await repeat(run, () => store.erasures.eraseNotifications({ ownerId }, PART))
  }
  await eraseAudit(run, { ids, agentIds })
  if (isStopping()) {
    return false
  }
  await store.erasures.update({ subjectId }, { finishedAt: now() })
  return true
}

/** Removes the agents of an owner, one after the other, and names them all. */
async function removeAgents(run: ErasureRun, ownerId: string): Promise<readonly string[]> {
  const { store, isStopping } = run
  while (!isStopping()) {
    const found = await store.transaction(async (within) => {
      const agentId = await within.erasures.nextAgent(ownerId)
      // Its state is locked first, as by everyone. Meanwhile it may have passed to another owner.
      const state = agentId && (await within.agentStates.find({ agentId }, { lock: 'wait' }))
      if (state && state.ownerId === ownerId) {
        await removeAgent(within, run, state.agentId)
      }
      return agentId
    })
    if (found === null) {
      break
    }
  }
  const ids: string[] = []
  let before: string | null = null
  while (true) {
    const { rows, more } = await store.agents.list({ ownerId }, before, PART)
    ids.push(...rows.map(({ id }) => id))
    before = rows.at(-1)?.id ?? null
    if (!more) {
      return ids
    }
  }
}

/** Once more at the end: a request concurrent with the first transaction may have added rows. */
function removeAccount({ store, now }: ErasureRun, ownerId: string): Promise<readonly string[]> {
  return store.transaction((within) => within.erasures.eraseAccount(ownerId, now()))
}

function withoutPersonal(event: RecordedEvent): RecordedEvent {
  const { review } = event
  return { ...withoutText(event), findings: [], review: review && withoutTexts(review) }
}

/** In place of a text that a person wrote. */
const ERASED_TEXT = '[erased]'

function withoutTexts({ status, decisions, appeal, counted }: Review): Review {
  return {
    status,
    counted,
    decisions: decisions.map((one) => ({ ...one, reason: ERASED_TEXT })),
    appeal: appeal && { ...appeal, statement: ERASED_TEXT },
  }
}

async function eraseAudit(
  { store, isStopping }: ErasureRun,
  names: { readonly ids: readonly string[]; readonly agentIds: readonly string[] },
): Promise<void> {
  let after: number | null = 0
  while (after !== null && !isStopping()) {
    after = await store.erasures.eraseAudit(names, after, AUDIT_PART)
  }
}

/** Calls `part` until it finds nothing more to do. */
async function repeat({ isStopping }: ErasureRun, part: () => Promise<number>): Promise<void> {
  while (!isStopping() && (await part()) > 0) {}
}
