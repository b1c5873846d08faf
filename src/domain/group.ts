/** One of a number of groups by a name: FNV-1a of it, of 32 bits. */
export function groupOf(name: string, groups: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % groups
}

/** A prime near 2^32 divided by the golden ratio: its multiples are spread evenly. */
const GOLDEN = 0x9e3779b1

/** One of a number of groups by a place in a sequence: places that follow each other are spread over all groups. */
export function groupAt(place: number, groups: number): number {
  return Math.floor(((Math.imul(place, GOLDEN) >>> 0) / 2 ** 32) * groups)
}
