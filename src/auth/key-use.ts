import type { Store } from '../store/store.ts'

/** Records when an owner's keys were last used, apart from the requests that use them. */
export interface KeyUse {
  used(keyId: string): void
  /** Writes what was noted since the last time. */
  flush(): Promise<void>
}

/** An owner asks on which day a key was used, so a minute is close enough. */
export const KEY_USE_MS = 60_000

export function createKeyUse({ ownerKeys }: Store, now: () => number): KeyUse {
  let uses = new Map<string, number>()
  return {
    used: (keyId) => void uses.set(keyId, now()),
    async flush() {
      if (uses.size === 0) {
        return
      }
      const written = uses
      uses = new Map()
      await ownerKeys.used(written)
    },
  }
}
