import type { Store } from '../store/store.ts'

/** Records when the keys of owners and operators were last used, apart from the requests. */
export interface KeyUse {
  used(kind: 'owner' | 'operator', id: string): void
  /** Writes what was noted since the last time. */
  flush(): Promise<void>
}

/** People ask on which day a key was used, so a minute is close enough. */
export const KEY_USE_MS = 60_000

export function createKeyUse({ ownerKeys, operators }: Store, now: () => number): KeyUse {
  let uses = noUses()
  return {
    used: (kind, id) => void uses[kind].set(id, now()),
    async flush() {
      const { owner, operator } = uses
      uses = noUses()
      await (owner.size > 0 && ownerKeys.used(owner))
      await (operator.size > 0 && operators.used(operator))
    },
  }
}

function noUses() {
  return { owner: new Map<string, number>(), operator: new Map<string, number>() }
}
