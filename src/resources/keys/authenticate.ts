import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../core/caller.ts'
import type { Authenticate } from '../../http/callers.ts'
import type { KeyHolder, Store } from '../../store/store.ts'
import type { Tokens } from '../owners/tokens.ts'
import { hashOf, kindOf, PREFIX } from './format.ts'

/** Finds out who holds a key or token. */
export interface Authenticator {
  readonly authenticate: Authenticate
  /** Forgets what it knows of this holder (agent, platform or owner), whose rights have changed. */
  forget(id: string): void
}

/** A key looked up this long ago is looked up again: other nodes may have changed its holder. */
const FRESH_MS = 1_000

/** Enough for the callers of a busy second; the oldest give way. */
const REMEMBERED_MAX = 10_000

/** The operator's key that the environment brings is nobody's row. */
const OPERATOR_BY_SETTING: Caller = { kind: 'operator', operatorId: 'settings' }

export interface AuthenticatorOptions {
  readonly store: Store
  readonly tokens: Tokens
  readonly operatorKey: string | null
  readonly now: () => number
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { store, tokens, operatorKey, now } = options
  const remembered = new Map<string, { holder: KeyHolder | null; at: number }>()
  const operatorHash = operatorKey === null ? null : hashOf(operatorKey)

  async function holderOf(hash: Uint8Array): Promise<KeyHolder | null> {
    const name = Buffer.from(hash).toString('base64')
    const known = remembered.get(name)
    if (known && now() - known.at < FRESH_MS && now() >= known.at) return known.holder
    const holder = await store.keys.find(hash)
    remembered.delete(name)
    remembered.set(name, { holder, at: now() })
    if (remembered.size > REMEMBERED_MAX) forgetOldest(remembered)
    return holder
  }

  return {
    async authenticate(credential) {
      if (!credential.startsWith('av')) return tokens.callerOf(credential)
      const isSettings = credential.startsWith(PREFIX.operator) && operatorHash !== null
      if (isSettings && timingSafeEqual(operatorHash, hashOf(credential)))
        return OPERATOR_BY_SETTING
      if (kindOf(credential) === null) return null
      const holder = await holderOf(hashOf(credential))
      return holder && callerOf(holder, now())
    },
    forget(id) {
      tokens.forget(id)
      for (const [name, { holder }] of remembered)
        if (holder && idsOf(holder).includes(id)) remembered.delete(name)
    },
  }
}

function forgetOldest(remembered: Map<string, unknown>): void {
  for (const name of remembered.keys()) {
    remembered.delete(name)
    return
  }
}

function idsOf(holder: KeyHolder): readonly string[] {
  switch (holder.kind) {
    case 'agent':
      return [holder.agentId, holder.ownerId]
    case 'platform':
      return [holder.platform.id]
    case 'operator':
      return [holder.operatorId]
  }
}

/** The caller that a key makes of its holder; null when the key works no more. */
function callerOf(holder: KeyHolder, now: number): Caller | null {
  if (holder.expiresAt !== null && holder.expiresAt <= now) return null
  switch (holder.kind) {
    case 'agent': {
      if (holder.status === 'deactivated') return null
      const { agentId, ownerId, tier } = holder
      return { kind: 'agent', agentId, ownerId, tier }
    }
    case 'platform': {
      const { id, ownerId, tier, publicKey, status } = holder.platform
      if (status !== 'active') return null
      return { kind: 'platform', platformId: id, ownerId, tier, publicKey }
    }
    case 'operator':
      return { kind: 'operator', operatorId: holder.operatorId }
  }
}
