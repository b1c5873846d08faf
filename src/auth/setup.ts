import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Store } from '../store/store.ts'
import { issueKey } from './rotate-key.ts'

export type LinkState = 'open' | 'used' | 'unknown'

/** Hands out the first operator key, once, to whoever holds the link that was printed. */
export interface Setup {
  /** What the link carries; null when the installation was set up already. */
  readonly token: string | null
  /** Whether this token makes a key: `used` when one was made, here or by another node. */
  stateOf(token: string): Promise<LinkState>
  /** The operator's key, made now; null when somebody was there before. */
  claim(): Promise<string | null>
}

const NAME = 'set_up_at'
const TOKEN_BYTES = 24

export async function createSetup(context: Context, operatorKey: string | null): Promise<Setup> {
  const { store } = context
  const isDone = async () => operatorKey !== null || (await store.installation.get(NAME)) !== null
  const token = (await isDone()) ? null : randomBytes(TOKEN_BYTES).toString('base64url')
  return {
    token,
    async stateOf(given) {
      if (await isDone()) {
        return 'used'
      }
      const isOurs = token !== null && timingSafeEqual(sha256(given), sha256(token))
      return isOurs ? 'open' : 'unknown'
    },
    claim: () => store.transaction((within) => claim(within, context)),
  }
}

async function claim(store: Store, { now, newId }: Context): Promise<string | null> {
  const at = now()
  if (!(await store.installation.claim(NAME, String(at)))) {
    return null
  }
  const operatorId = newId()
  const key = await issueKey(store, 'operator', operatorId, at)
  await store.audit.insert([
    {
      id: newId(),
      actor: { kind: 'setup', id: null },
      action: 'operator.key_issued',
      target: { kind: 'operator', id: operatorId },
      details: {},
      createdAt: at,
    },
  ])
  return key
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}
