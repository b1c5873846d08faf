import { timingSafeEqual } from 'node:crypto'
import { audit } from '../audit/audit.ts'
import type { Sources } from '../lib/sources.ts'
import type { OperatorRow, Store } from '../store/store.ts'
import { randomToken, tokenHashOf } from './one-time-token.ts'
import { issueKey } from './rotate-key.ts'

export type LinkState = 'open' | 'used' | 'unknown'

/** Creates the first operator key, once, for the set-up link that was printed at the start. */
export interface Setup {
  /** The secret in the link; null when the installation is set up already. */
  readonly token: string | null
  /** Whether this token creates a key: `used` when one was created, here or by another node. */
  stateOf(token: string): Promise<LinkState>
  /** The operator's key, created now; null when there was one already. */
  claim(): Promise<string | null>
}

/** The operator whose key the set-up link shows. */
export const SETUP_OPERATOR = 'setup'

const NAME = 'set_up_at'

export interface SetupOptions extends Sources {
  readonly store: Store
}

export async function createSetup(
  { store, ...sources }: SetupOptions,
  operatorKey: string | null,
  newToken: string = randomToken(),
): Promise<Setup> {
  // An operator who was created some other way, and is active, creates further ones.
  const isDone = async () =>
    operatorKey !== null ||
    (await store.installation.find({ name: NAME })) !== null ||
    (await store.operators.findAll({ revokedAt: null })).length > 0
  const token = (await isDone()) ? null : newToken
  return {
    token,
    async stateOf(given) {
      if (await isDone()) {
        return 'used'
      }
      const isOurs = token !== null && timingSafeEqual(tokenHashOf(given), tokenHashOf(token))
      return isOurs ? 'open' : 'unknown'
    },
    claim: () => store.transaction((within) => claim(within, sources)),
  }
}

/** An operator before it is stored. */
export function newOperator({ now, newId }: Sources, name: string): OperatorRow {
  return { id: newId(), name, createdAt: now(), revokedAt: null, lastUsedAt: null }
}

async function claim(within: Store, { now, newId }: Sources): Promise<string | null> {
  // One time for all that is written.
  const at = now()
  const sources = { now: () => at, newId }
  if (!(await within.installation.insert({ name: NAME, value: String(at) }))) {
    return null
  }
  const operator = newOperator(sources, SETUP_OPERATOR)
  await within.operators.insert(operator)
  const target = { kind: 'operator', id: operator.id } as const
  const key = await issueKey(within, target, at)
  const details = { name: operator.name }
  await audit(within, sources, 'setup', { action: 'operator.key_issued', target, details })
  return key
}
