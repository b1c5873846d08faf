import type { Credential } from '../domain/credential.ts'
import { MODEL } from '../domain/model.ts'
import { credentialRevoked } from '../domain/notification.ts'
import { scoreAt } from '../domain/score.ts'
import { dayOf, scoringTime } from '../domain/time.ts'
import type { AgentState, Store } from '../store/store.ts'

/** Why the service revoked a credential. */
const SCORE_FELL = 'score_fell'
const AGENT_DEACTIVATED = 'agent_deactivated'
const AGENT_TRANSFERRED = 'agent_transferred'

/** Revokes the score credentials of an agent that claim more than its score. */
export async function revokeFallen(
  within: Store,
  agentId: string,
  score: number,
  at: number,
): Promise<void> {
  const target = { agentId, above: score }
  const revoked = await within.credentials.revoke(target, { at, reason: SCORE_FELL })
  await notify(within, revoked, at)
}

/** Revokes what is left of a deactivated agent's credentials. It takes no more events, so none is recorded. */
export async function revokeAll(within: Store, agentId: string, at: number): Promise<void> {
  const revocation = { at, reason: AGENT_DEACTIVATED }
  await notify(within, await within.credentials.revoke({ agentId }, revocation), at)
}

/** Revokes all credentials of an agent that has another owner now: they are about it under the former one. */
export async function revokeTransferred(within: Store, agentId: string, at: number): Promise<void> {
  const revocation = { at, reason: AGENT_TRANSFERRED }
  await notify(within, await within.credentials.revoke({ agentId }, revocation), at)
}

function notify(within: Store, revoked: readonly Credential[], at: number): Promise<void> {
  return within.notifications.insertAll(revoked.map((one) => credentialRevoked(one, at)))
}

/**
 * Revokes the score credentials of this agent that are no longer true. Events do this when they are
 * folded; this is for the passing of days, before a credential is returned to anyone.
 */
export async function settle(store: Store, agentState: AgentState, now: number): Promise<void> {
  if (!isBroken(agentState, now)) {
    return
  }
  await store.transaction(async (within) => {
    const locked = await within.agentStates.find({ agentId: agentState.agentId }, { lock: 'wait' })
    if (locked && isBroken(locked, now)) {
      await revokeFallen(within, locked.agentId, scoreNow(locked, now), now)
    }
  })
}

function isBroken(agentState: AgentState, now: number): boolean {
  return agentState.credentialFloor > 0 && scoreNow(agentState, now) < agentState.credentialFloor
}

function scoreNow(agentState: AgentState, now: number): number {
  return scoreAt(MODEL, agentState.evidence, scoringTime(agentState, now)).score
}

/** Settles every agent once a day: within a day only events move a score, and they settle it themselves. */
export interface Sweeper {
  /** Resolves once this day's round is done; all callers share one round. */
  today(): Promise<void>
  /** As `today`, and tries again what could not be settled before. */
  again(): Promise<void>
}

export interface SweeperOptions {
  readonly store: Store
  readonly now: () => number
  /** Called for an agent that could not be settled; the others are settled all the same. */
  readonly onFailed: (error: unknown, agentId: string) => void
}

export function createSweeper({ store, now, onFailed }: SweeperOptions): Sweeper {
  let swept: { readonly day: number; readonly done: Promise<void> } | null = null
  const failed = new Set<string>()

  async function settleOne(agentState: AgentState, at: number): Promise<void> {
    try {
      await settle(store, agentState, at)
      failed.delete(agentState.agentId)
    } catch (error) {
      failed.add(agentState.agentId)
      onFailed(error, agentState.agentId)
    }
  }

  async function sweep(at: number): Promise<void> {
    for await (const ids of store.agentStates.agentIds({ hasCredentialFloor: true })) {
      for (const agentState of (await store.agentStates.findMany(ids)).values()) {
        await settleOne(agentState, at)
      }
    }
  }

  function today(): Promise<void> {
    const day = dayOf(now())
    if (swept?.day === day) {
      return swept.done
    }
    const done = sweep(now())
    const round = { day, done }
    swept = round
    done.catch(() => {
      // Only this round is repeated: by now it may be another day's turn.
      swept = swept === round ? null : swept
    })
    return done
  }

  async function again(): Promise<void> {
    const before = [...failed]
    await today()
    const agentStates = await store.agentStates.findMany(before)
    for (const agentId of before) {
      const agentState = agentStates.get(agentId)
      // An agent may have been deleted since.
      await (agentState ? settleOne(agentState, now()) : failed.delete(agentId))
    }
  }

  return { today, again }
}
