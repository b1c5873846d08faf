/** One transaction, as far as its locks are concerned. */
export type Transaction = object

/** Row locks: each belongs to one transaction at a time; the others wait in the order they came. */
export interface Locks {
  tryTake(transaction: Transaction, name: string): boolean
  take(transaction: Transaction, name: string): Promise<void>
  /** Gives up all that the transaction has and waits for. */
  release(transaction: Transaction): void
}

interface Lock {
  holder: Transaction
  readonly waiting: { readonly transaction: Transaction; readonly resolve: () => void }[]
}

export function createLocks(): Locks {
  const locks = new Map<string, Lock>()

  function tryTake(transaction: Transaction, name: string): boolean {
    const lock = locks.get(name)
    if (!lock) {
      locks.set(name, { holder: transaction, waiting: [] })
    }
    return !lock || lock.holder === transaction
  }

  return {
    tryTake,
    take(transaction, name) {
      if (tryTake(transaction, name)) {
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        locks.get(name)?.waiting.push({ transaction, resolve })
      })
    },
    release(transaction) {
      for (const [name, lock] of locks) {
        const index = lock.waiting.findIndex((one) => one.transaction === transaction)
        if (index >= 0) {
          lock.waiting.splice(index, 1)
        }
        if (lock.holder !== transaction) {
          continue
        }
        const next = lock.waiting.shift()
        if (next) {
          lock.holder = next.transaction
          next.resolve()
        } else {
          locks.delete(name)
        }
      }
    },
  }
}
