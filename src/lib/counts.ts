/** How many there are of each key. A key with a count of zero takes no memory. */
export interface Counts {
  of(key: string): number
  add(key: string, by: 1 | -1): void
  /** The key with the most; null where nothing is counted. */
  most(): string | null
}

export function createCounts(): Counts {
  const counts = new Map<string, number>()
  return {
    of: (key) => counts.get(key) ?? 0,
    add(key, by) {
      const count = (counts.get(key) ?? 0) + by
      if (count > 0) {
        counts.set(key, count)
      } else {
        counts.delete(key)
      }
    },
    most() {
      let most: string | null = null
      let count = 0
      for (const [key, its] of counts) {
        if (its > count) {
          most = key
          count = its
        }
      }
      return most
    },
  }
}
