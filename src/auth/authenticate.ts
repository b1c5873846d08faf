import { hash, timingSafeEqual } from 'node:crypto'
import type { Caller, CallerOf } from '../domain/caller.ts'
import type { TrustError } from '../domain/error.ts'
import { isTestId } from '../domain/mode.ts'
import { type Awaitable, andThen } from '../lib/awaitable.ts'
import { createCache } from '../lib/cache.ts'
import { FRESH_DISCONNECTED_MS } from '../store/freshness.ts'
import type { KeyHolder, PlatformRow, Store, UsedKind } from '../store/store.ts'
import { hashOf, isWellFormed, keyKindOf } from './key-format.ts'
import { createKeyLookUps } from './key-look-ups.ts'
import type { KeyUse } from './key-use.ts'
import { suspendedAccount } from './suspended.ts'
import type { Tokens } from './tokens.ts'

/** Identifies callers by their key or token. */
export interface Authenticator {
  /**
   * The caller that a credential identifies; null when it is unknown, expired or revoked, a refusal
   * when its account is suspended.
   */
  readonly authenticate: (credential: string) => Awaitable<Caller | TrustError | null>
  /** Whether a credential still identifies a caller. To ask does not count as a use of it. */
  readonly isValid: (credential: string) => Promise<boolean>
  /** Drops what is cached of an agent, platform or owner whose rights have changed. */
  invalidate(id: string): void
  /** Reads the keys of tokens again. */
  invalidateKeys(): void
  /** Drops everything that is cached. */
  clear(): void
  /** How many keys are cached: those with a holder, and those without. */
  sizes(): { readonly known: number; readonly unknown: number }
}

/** Enough for the callers of a busy second; the oldest are evicted. */
const CACHED_MAX = 10_000

export interface AuthenticatorOptions {
  readonly store: Store
  readonly tokens: Tokens
  /** The key of the settings: set by hand, so it need not have the form of a generated one. */
  readonly operatorKey: string | null
  readonly keyUse: KeyUse
  readonly now: () => number
  /** For how long a holder may be used without reading it again. */
  readonly freshMs: () => number
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { store, tokens, operatorKey, keyUse, now, freshMs } = options
  const operatorHash = operatorKey === null ? null : hashOf(operatorKey)
  const isSetting = (name: string) =>
    operatorHash !== null && timingSafeEqual(operatorHash, Buffer.from(name, 'base64'))

  const lookUp = createKeyLookUps(store)
  const holders = createCache<KeyHolder>({
    async read([name = '']) {
      const holder = await lookUp(Buffer.from(name, 'base64'))
      return new Map(holder ? [[name, holder]] : [])
    },
    isFresh: (_holder, ageMs) => ageMs < freshMs(),
    now,
    sizeMax: CACHED_MAX,
    // No notification announces a new key.
    unknownMs: FRESH_DISCONNECTED_MS,
  })

  function callerOfCredential(credential: string): Awaitable<Caller | TrustError | null> {
    const kind = keyKindOf(credential)
    if (kind === null) {
      return tokens.callerOf(credential)
    }
    const name = nameOf(credential)
    if (holders.peek(name) === undefined && !isSetting(name) && !isWellFormed(credential)) {
      return null
    }
    return andThen(holders.get(name), (holder) => (holder ? callerNow(holder, now()) : null))
  }

  function noted(caller: Caller | TrustError | null): Caller | TrustError | null {
    noteUse(keyUse, caller)
    return caller
  }

  return {
    authenticate: (credential) => andThen(callerOfCredential(credential), noted),
    async isValid(credential) {
      const caller = await callerOfCredential(credential)
      return caller !== null && 'kind' in caller
    },
    invalidate(id) {
      tokens.invalidate(id)
      holders.invalidateWhere((holder) => idsOf(holder).includes(id))
    },
    invalidateKeys: tokens.invalidateKeys,
    clear() {
      tokens.clear()
      holders.clear()
    },
    sizes: () => ({ known: holders.size(), unknown: holders.unknownSize() }),
  }
}

function noteUse(keyUse: KeyUse, caller: Caller | TrustError | null): void {
  const used = caller && 'kind' in caller ? usedBy(caller) : null
  if (used) {
    keyUse.used(...used)
  }
}

/** What identified the caller: a key, by its holder, or a session. */
function usedBy(caller: Caller): readonly [UsedKind, string] | null {
  switch (caller.kind) {
    case 'owner':
      return caller.by.kind === 'member'
        ? ['session', caller.by.sessionId]
        : ['owner', caller.by.id]
    case 'agent':
      return ['agent', caller.agentId]
    case 'platform':
      return ['platform', caller.platformId]
    case 'operator':
      return ['operator', caller.operatorId]
    case 'anonymous':
      return null
  }
}

function idsOf(holder: KeyHolder): readonly string[] {
  switch (holder.kind) {
    case 'agent':
      return [holder.agentId, holder.ownerId]
    case 'owner':
      return [holder.keyId, holder.ownerId]
    case 'platform':
      return [holder.platform.id]
    case 'operator':
      return [holder.operatorId]
  }
}

/** A key in the caches: its hash. */
function nameOf(key: string): string {
  return hash('sha256', key, 'base64')
}

/** What each cached holder is as a caller, made once. */
const callers = new WeakMap<KeyHolder, ReturnType<typeof callerOf>>()

/** The caller that a key identifies; null when the key has expired or its holder is inactive. */
function callerNow(holder: KeyHolder, now: number): Caller | TrustError | null {
  if (holder.expiresAt !== null && holder.expiresAt <= now) {
    return null
  }
  let caller = callers.get(holder)
  if (caller === undefined) {
    caller = callerOf(holder)
    callers.set(holder, caller)
  }
  return caller
}

function callerOf(holder: KeyHolder): Caller | TrustError | null {
  const ownerStatus = 'ownerStatus' in holder ? holder.ownerStatus : 'active'
  if (ownerStatus === 'erased') {
    return null
  }
  if (ownerStatus === 'suspended') {
    return suspendedAccount()
  }
  switch (holder.kind) {
    case 'agent': {
      if (holder.status === 'deactivated') {
        return null
      }
      const { agentId, ownerId, tier } = holder
      return { kind: 'agent', agentId, ownerId, tier }
    }
    case 'owner': {
      const { ownerId, tier, keyId, scopes } = holder
      return { kind: 'owner', ownerId, tier, by: { kind: 'key', id: keyId }, permissions: scopes }
    }
    case 'platform': {
      const { platform } = holder
      return platform.status === 'active' ? platformCaller(platform) : null
    }
    case 'operator':
      return { kind: 'operator', operatorId: holder.operatorId }
  }
}

export function platformCaller(platform: PlatformRow): CallerOf<'platform'> {
  const { id: platformId, tier } = platform
  // A test platform stands for an independent, verified one; who created it does not matter.
  const isTest = isTestId(platformId)
  const ownerId = isTest ? null : platform.ownerId
  const verified = isTest || platform.verified
  const { publicKey, previousKey, requireAttestation } = platform
  const signing = { publicKey, previousKey, requireAttestation }
  return { kind: 'platform', platformId, ownerId, tier, verified, ...signing }
}
