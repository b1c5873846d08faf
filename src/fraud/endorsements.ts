/** A platform of one owner reported on an agent of another. */
export interface Endorsement {
  readonly fromOwner: string
  readonly toOwner: string
}

/** One text for each pair of owners and direction. */
export function linkKey({ fromOwner, toOwner }: Endorsement): string {
  return `${fromOwner} ${toOwner}`
}

export function hasEndorsement(
  endorsements: readonly Endorsement[],
  { fromOwner, toOwner }: Endorsement,
): boolean {
  return endorsements.some((one) => one.fromOwner === fromOwner && one.toOwner === toOwner)
}
