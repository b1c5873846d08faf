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
import { suspendedAccount, suspendedPlatform } from './suspended.ts'
import type { Tokens } from './tokens.ts'

/** Identifies callers by their key or token. */
export interface Authenticator {
  /**
   * The caller that a credential identifies; null when it is unknown, expired or revoked, a refusal
   * when its account or platform is suspended.
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

  function identify(credential: string): Awaitable<Identified | null> {
    const kind = keyKindOf(credential)
    if (kind === null) {
      return tokens.callerOf(credential).then(identifiedByToken)
    }
    const name = nameOf(credential)
    if (holders.peek(name) === undefined && !isSetting(name) && !isWellFormed(credential)) {
      return null
    }
    return andThen(holders.get(name), (holder) =>
      holder ? identifiedByKey(holder, name, now()) : null,
    )
  }

  function noted(identified: Identified | null): Caller | TrustError | null {
    for (const [kind, id] of identified?.uses ?? []) {
      keyUse.used(kind, id)
    }
    return identified?.caller ?? null
  }

  return {
    authenticate: (credential) => andThen(identify(credential), noted),
    async isValid(credential) {
      const identified = await identify(credential)
      return identified !== null && 'kind' in identified.caller
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

/** The caller that a credential identifies, or why it is refused, and the keys or sessions whose use is recorded. */
interface Identified {
  readonly caller: Caller | TrustError
  readonly uses: readonly (readonly [UsedKind, string])[]
}

function identifiedByToken(caller: Caller | TrustError | null): Identified | null {
  const isMember =
    caller && 'kind' in caller && caller.kind === 'owner' && caller.by.kind === 'member'
  return caller && { caller, uses: isMember ? [['session', caller.by.sessionId]] : [] }
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

/** What the key of each cached holder identifies, made once. */
const identified = new WeakMap<KeyHolder, Identified | null>()

/** What a key identifies; null when it has expired or its holder is inactive. */
function identifiedByKey(holder: KeyHolder, name: string, now: number): Identified | null {
  if (holder.expiresAt !== null && holder.expiresAt <= now) {
    return null
  }
  let known = identified.get(holder)
  if (known === undefined) {
    const caller = callerOf(holder)
    known = caller && { caller, uses: 'kind' in caller ? usesOf(holder, name) : [] }
    identified.set(holder, known)
  }
  return known
}

function usesOf(holder: KeyHolder, name: string): Identified['uses'] {
  switch (holder.kind) {
    case 'agent':
    case 'platform':
      return [['key', name]]
    // The time of any key of the operator is kept with the operator, also after the key is deleted.
    case 'operator':
      return [
        ['key', name],
        ['operator', holder.operatorId],
      ]
    // The one key of a record, which is kept when the key is deleted.
    case 'owner':
      return [['owner', holder.keyId]]
  }
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
      return platform.status === 'active' ? platformCaller(platform) : suspendedPlatform()
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
  const testAccountId = isTest ? platform.ownerId : null
  const verified = isTest || platform.verified
  const { publicKey, previousKey, requireAttestation } = platform
  const signing = { publicKey, previousKey, requireAttestation }
  return { kind: 'platform', platformId, ownerId, testAccountId, tier, verified, ...signing }
}
