/** A platform of one owner reported on an agent of another. */
export interface Endorsement {
  readonly fromOwner: string
  readonly toOwner: string
}

export function hasEndorsement(
  endorsements: readonly Endorsement[],
  { fromOwner, toOwner }: Endorsement,
): boolean {
  return endorsements.some((one) => one.fromOwner === fromOwner && one.toOwner === toOwner)
}
