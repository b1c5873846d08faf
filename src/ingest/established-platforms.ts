/** The platforms that are established, by the operator or by their record; all of one owner count as one. */
export interface EstablishedPlatforms {
  /** Whether the operator has verified a platform, of an owner or of none. */
  verify(platformId: string, isVerified?: boolean, ownerId?: string | null): void
  /** Whether its record establishes it. */
  prove(platformId: string, isProven: boolean, ownerId: string | null): void
  count(): number
}

export function createEstablishedPlatforms(): EstablishedPlatforms {
  const verified = new Map<string, string>()
  const proven = new Map<string, string>()
  let count = 0
  const set = (voters: Map<string, string>, id: string, isIn: boolean, owner: string | null) => {
    if (voters.has(id) !== isIn) {
      isIn ? voters.set(id, owner ?? id) : voters.delete(id)
      count = new Set([...verified.values(), ...proven.values()]).size
    }
  }
  return {
    verify: (id, isVerified = true, owner = null) => set(verified, id, isVerified, owner),
    prove: (id, isProven, owner) => set(proven, id, isProven, owner),
    count: () => count,
  }
}
