import type { Store } from '../store/store.ts'

/** Records when keys of owners and operators, and sessions, were last used, apart from the requests. */
export interface KeyUse {
  used(kind: keyof Uses, id: string): void
  /** Writes what was noted since the last time. */
  flush(): Promise<void>
}

/** People ask on which day a key was used, so a minute is close enough. */
export const KEY_USE_MS = 60_000

export function createKeyUse({ ownerKeys, operators, sessions }: Store, now: () => number): KeyUse {
  let uses = noUses()
  return {
    used: (kind, id) => void uses[kind].set(id, now()),
    async flush() {
      const { owner, operator, session } = uses
      uses = noUses()
      await (owner.size > 0 && ownerKeys.used(owner))
      await (operator.size > 0 && operators.used(operator))
      await (session.size > 0 && sessions.used(session))
    },
  }
}

/** When each was used, by its id. */
interface Uses {
  readonly owner: Map<string, number>
  readonly operator: Map<string, number>
  readonly session: Map<string, number>
}

function noUses(): Uses {
  return { owner: new Map(), operator: new Map(), session: new Map() }
}
