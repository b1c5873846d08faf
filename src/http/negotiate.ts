interface Wish {
  readonly type: string
  readonly quality: number
}

/** Which of these media types the asker would rather have; the first, where that leaves it open. */
export function preferred<T extends string>(
  accept: string | null,
  types: readonly [T, ...(readonly T[])],
): T {
  const wishes = (accept ?? '*/*').split(',').map(wishOf)
  let best: T = types[0]
  for (const type of types) {
    if (qualityOf(type, wishes) > qualityOf(best, wishes)) {
      best = type
    }
  }
  return best
}

function wishOf(text: string): Wish {
  const [type = '', ...parameters] = text.toLowerCase().split(';')
  const q = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='))
  const quality = q === undefined ? 1 : Number(q.slice(2))
  return { type: type.trim(), quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most specific wish that covers the type decides. */
function qualityOf(type: string, wishes: readonly Wish[]): number {
  const [family] = type.split('/')
  for (const range of [type, `${family}/*`, '*/*']) {
    const wish = wishes.find((one) => one.type === range)
    if (wish) {
      return wish.quality
    }
  }
  return 0
}
