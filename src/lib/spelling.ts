/** How many letters have to be changed, added or left out to make one word of another (Levenshtein). */
export function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The known word that is most like this one, with at most this many slips; undefined where none is. */
export function nearest(
  word: string,
  known: readonly string[],
  slipsMax: number,
): string | undefined {
  const [best] = known
    .map((one) => ({ one, slips: slipsBetween(word, one) }))
    .filter(({ slips }) => slips <= slipsMax)
    .sort((a, b) => a.slips - b.slips)
  return best?.one
}
