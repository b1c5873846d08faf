/**
 * Picks the media type that an Accept header prefers; the first of `types` if it has no preference.
 */
export function preferred<T extends string>(
  accept: string | null,
  types: readonly [T, ...(readonly T[])],
): T {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf)
  let best: T = types[0]
  for (const type of types) {
    if (qualityOf(type, ranges) > qualityOf(best, ranges)) {
      best = type
    }
  }
  return best
}

/** Whether an Accept header takes all of these media types, by name or by a range. */
export function acceptsAll(accept: string | null, types: readonly string[]): boolean {
  const ranges = (accept ?? '*/*').split(',').map(rangeOf)
  return types.every((type) => qualityOf(type, ranges) > 0)
}

/** The encodings that content is compressed in, smallest first. */
const ENCODINGS = ['br', 'gzip'] as const

/** The encoding to send by an Accept-Encoding header; null for none. */
export function preferredEncoding(header: string | null): (typeof ENCODINGS)[number] | null {
  const ranges = (header ?? '').split(',').map(rangeOf)
  const accepts = (encoding: string) => {
    const named = (wanted: string) => ranges.find(({ name }) => name === wanted)
    return ((named(encoding) ?? named('*'))?.quality ?? 0) > 0
  }
  return ENCODINGS.find(accepts) ?? null
}

/** One element of such a header: a name or range, and how much it is wanted (0 to 1). */
interface Range {
  readonly name: string
  readonly quality: number
}

function rangeOf(text: string): Range {
  const [name = '', ...parameters] = text.toLowerCase().split(';')
  const q = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='))
  const quality = q === undefined ? 1 : Number(q.slice(2))
  return { name: name.trim(), quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most specific range that covers the type decides. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [family] = type.split('/')
  for (const name of [type, `${family}/*`, '*/*']) {
    const range = ranges.find((one) => one.name === name)
    if (range) {
      return range.quality
    }
  }
  return 0
}
