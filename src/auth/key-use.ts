import type { Store, UsedKind } from '../store/store.ts'

/** Records when keys of owners and operators, and sessions, were last used, apart from the requests. */
export interface KeyUse {
  used(kind: UsedKind, id: string): void
  /** Writes what was noted since the last time. What cannot be written is kept for the next time. */
  flush(): Promise<void>
}

/** People ask on which day a key was used, so a minute is close enough. */
export const KEY_USE_MS = 60_000

export function createKeyUse({ keys }: Pick<Store, 'keys'>, now: () => number): KeyUse {
  /** When each was used, by its id. */
  const uses = {
    operator: new Map<string, number>(),
    owner: new Map<string, number>(),
    session: new Map<string, number>(),
  }

  async function write(kind: UsedKind): Promise<void> {
    const written = new Map(uses[kind])
    if (written.size === 0) {
      return
    }
    await keys.recordUse(kind, written)
    for (const [id, at] of written) {
      if (uses[kind].get(id) === at) {
        uses[kind].delete(id)
      }
    }
  }

  return {
    used: (kind, id) => void uses[kind].set(id, now()),
    async flush() {
      await write('operator')
      await write('owner')
      await write('session')
    },
  }
}
