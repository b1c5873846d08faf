import type { Ring } from './rule.ts'

/** How often one owner's platforms spoke well and ill of another owner's agents. */
export interface Endorsement {
  readonly fromOwner: string
  readonly toOwner: string
  readonly good: number
  readonly bad: number
}

/**
 * The strongest ring that a report closes when the platform of `from` praises an agent of `to`:
 * back over one link, or over one owner between. Longer rings pay each less and are not looked for.
 */
export function findCollusionRing(
  endorsements: readonly Endorsement[],
  from: string,
  to: string,
): Ring | null {
  const link = (a: string, b: string) =>
    endorsements.find(({ fromOwner, toOwner }) => fromOwner === a && toOwner === b)
  const out = link(from, to)
  if (!out) {
    return null
  }
  const back = link(to, from)
  const rings = back ? [ringAlong([out, back])] : []
  for (const first of endorsements) {
    if (first.fromOwner !== to || first.toOwner === from || first.toOwner === to) {
      continue
    }
    const second = link(first.toOwner, from)
    if (second) {
      rings.push(ringAlong([out, first, second]))
    }
  }
  return rings.sort((a, b) => b.goodLeast - a.goodLeast)[0] ?? null
}

function ringAlong(links: readonly Endorsement[]): Ring {
  return {
    owners: links.length,
    goodLeast: Math.min(...links.map(({ good }) => good)),
    bad: links.reduce((sum, { bad }) => sum + bad, 0),
  }
}

/** The links with one report more. */
export function addEndorsement(
  endorsements: readonly Endorsement[],
  { fromOwner, toOwner, good, bad }: Endorsement,
): readonly Endorsement[] {
  const isSame = (one: Endorsement) => one.fromOwner === fromOwner && one.toOwner === toOwner
  const known = endorsements.find(isSame)
  if (!known) {
    return [...endorsements, { fromOwner, toOwner, good, bad }]
  }
  const more = { ...known, good: known.good + good, bad: known.bad + bad }
  return endorsements.map((one) => (one === known ? more : one))
}
