/** The end of an id: of ids made at the same time, the beginning is the same. */
export function shortId(id: string): string {
  return `…${id.slice(-6)}`
}
