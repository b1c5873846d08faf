/** One of a number of groups by a name: FNV-1a of it, of 32 bits. */
export function groupOf(name: string, groups: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % groups
}
