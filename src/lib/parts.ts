/** The items in their order, at most so many in each part. */
export function inParts<T>(items: readonly T[], max: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / max) }, (_, i) =>
    items.slice(i * max, (i + 1) * max),
  )
}
