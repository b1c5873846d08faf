import type { Credential } from '../../core/credentials.ts'
import { credentialRevoked } from '../../core/notices.ts'
import { scoreAt } from '../../core/score.ts'
import type { Standing, Store } from '../../store/store.ts'

/** Why a credential was revoked, where it was not its owner who did it. */
const SCORE_FELL = 'score_fell'
const AGENT_DEACTIVATED = 'agent_deactivated'

/** Revokes the score credentials of an agent that claim more than its score. */
export async function revokeFallen(
  within: Store,
  agentId: string,
  score: number,
  at: number,
): Promise<void> {
  const revoked = await within.credentials.revokeAbove(agentId, score, { at, reason: SCORE_FELL })
  await tell(within, revoked, at)
}

/** Revokes what is left of a deactivated agent's credentials. It takes no more events, so none is recorded. */
export async function revokeAll(within: Store, agentId: string, at: number): Promise<void> {
  const revocation = { at, reason: AGENT_DEACTIVATED }
  await tell(within, await within.credentials.revokeAll(agentId, revocation), at)
}

function tell(within: Store, revoked: readonly Credential[], at: number): Promise<void> {
  return within.notices.insert(revoked.map((one) => credentialRevoked(one, at)))
}

/**
 * Sees to it that no score credential of this agent outlives what it claims. Events do so as they
 * are folded; this is for the days that pass, each time before anyone is told of a credential.
 */
export async function settle(store: Store, standing: Standing, now: number): Promise<void> {
  if (!isBroken(standing, now)) return
  await store.transaction(async (within) => {
    const locked = await within.scores.lock(standing.agentId)
    if (locked && isBroken(locked, now))
      await revokeFallen(within, locked.agentId, scoreNow(locked, now), now)
  })
}

function isBroken(standing: Standing, now: number): boolean {
  return standing.promised > 0 && scoreNow(standing, now) < standing.promised
}

function scoreNow({ evidence, updatedAt }: Standing, now: number): number {
  return scoreAt(evidence, Math.max(now, updatedAt)).score
}

const DAY_MS = 86_400_000
const PART = 500

/** Settles every agent once a day: within a day only events move a score, and they settle it themselves. */
export interface Sweeper {
  /** Resolves once this day's round is done, whoever asked for it first. */
  today(): Promise<void>
  /** The same, and tries again what could not be settled before. */
  again(): Promise<void>
}

export interface SweeperOptions {
  readonly store: Store
  readonly now: () => number
  /** Told of an agent that could not be settled, which holds up no other. */
  readonly onFailed: (error: unknown, agentId: string) => void
}

export function createSweeper({ store, now, onFailed }: SweeperOptions): Sweeper {
  let swept: { readonly day: number; readonly done: Promise<void> } | null = null
  const failed = new Set<string>()

  async function settleOne(standing: Standing, at: number): Promise<void> {
    try {
      await settle(store, standing, at)
      failed.delete(standing.agentId)
    } catch (error) {
      failed.add(standing.agentId)
      onFailed(error, standing.agentId)
    }
  }

  async function sweep(at: number): Promise<void> {
    let after: string | null = null
    while (true) {
      const part: readonly Standing[] = await store.scores.promising(after, PART)
      for (const standing of part) await settleOne(standing, at)
      if (part.length < PART) return
      after = part.at(-1)?.agentId ?? after
    }
  }

  function today(): Promise<void> {
    const day = Math.floor(now() / DAY_MS)
    if (swept?.day === day) return swept.done
    const done = sweep(now())
    swept = { day, done }
    done.catch(() => {
      swept = null
    })
    return done
  }

  async function again(): Promise<void> {
    const before = [...failed]
    await today()
    const standings = await store.scores.findMany(before)
    for (const standing of standings.values()) await settleOne(standing, now())
  }

  return { today, again }
}
