import { afterCheck, type Identifier, type ProofProblem } from '../domain/identifier.ts'
import type { Sources } from '../lib/sources.ts'
import type { Store } from '../store/store.ts'
import type { Reading } from './kind.ts'
import { checkAgain } from './prove.ts'
import { lapse, publish } from './verify.ts'

/** Checked by one node at a time; each may take the seconds of a server that does not answer. */
const DUE_MAX = 20

/** If a node exits during a check, another node repeats the check after this time. */
const CLAIMED_MS = 10 * 60_000

export interface Rechecking extends Sources {
  readonly store: Store
  readonly reading: Reading
}

/**
 * Checks the verified names that are due. How many were. Throws the first error after all checks have ended;
 * a name whose result was not stored is checked again later.
 */
export async function recheckDue(rechecking: Rechecking): Promise<number> {
  const { store, reading, now } = rechecking
  const due = await store.identifiers.claimDue(now(), now() + CLAIMED_MS, DUE_MAX)
  const checks = await Promise.allSettled(
    due.map(async (identifier) =>
      record(rechecking, identifier, await checkAgain(reading, identifier)),
    ),
  )
  // Only now, so that no check outlives the round.
  for (const check of checks) {
    if (check.status === 'rejected') {
      throw check.reason
    }
  }
  return due.length
}

/** The result of a check, unless the name was deleted or proven again meanwhile. */
async function record(
  { store, now, newId }: Rechecking,
  checked: Identifier,
  problem: ProofProblem | null,
): Promise<void> {
  const { agentId, id } = checked
  await store.transaction(async (within) => {
    await within.agentStates.find({ agentId }, { lock: 'wait' })
    const found = await within.identifiers.find({ agentId, id }, { lock: 'wait' })
    if (found?.status !== 'verified' || found.nextCheckAt !== checked.nextCheckAt) {
      return
    }
    const after = afterCheck(found, problem, now())
    if (after.status === 'claimed') {
      const entry = await lapse(within, { now, newId, caller: 'system' }, after)
      return within.audit.insertAll([entry])
    }
    await within.identifiers.update({ agentId, id }, after)
    if (found.failingSince === null && after.failingSince !== null) {
      await publish(within, { now, newId }, 'failing', after)
    }
  })
}
