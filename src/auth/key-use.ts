import { throwFirst } from '../lib/failures.ts'
import { inParts } from '../lib/parts.ts'
import type { Store, UsedKind } from '../store/store.ts'

/** Records when keys and sessions were last used, apart from the requests. */
export interface KeyUse {
  used(kind: UsedKind, id: string): void
  /**
   * Writes what was noted since the last time. What cannot be written is kept for the next time, and delays no other
   * kind. Throws the first failure after it has tried all kinds.
   */
  flush(): Promise<void>
}

/** People ask on which day a key was used, so a minute is close enough. */
export const KEY_USE_MS = 60_000

/** Keys of one statement: their rows are locked for some tens of milliseconds. */
const PART = 1_000

export function createKeyUse({ keys }: Pick<Store, 'keys'>, now: () => number): KeyUse {
  /** When each was used, by its id. */
  const uses = {
    key: new Map<string, number>(),
    operator: new Map<string, number>(),
    owner: new Map<string, number>(),
    session: new Map<string, number>(),
  } satisfies Record<UsedKind, Map<string, number>>

  async function write(kind: UsedKind): Promise<void> {
    for (const part of inParts([...uses[kind]], PART)) {
      await keys.recordUse(kind, new Map(part))
      for (const [id, at] of part) {
        if (uses[kind].get(id) === at) {
          uses[kind].delete(id)
        }
      }
    }
  }

  return {
    used: (kind, id) => void uses[kind].set(id, now()),
    async flush() {
      const failures: unknown[] = []
      for (const kind of Object.keys(uses) as UsedKind[]) {
        await write(kind).catch((error: unknown) => failures.push(error))
      }
      throwFirst(failures)
    },
  }
}
