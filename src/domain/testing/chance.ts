/** Numbers from 0 to below 1, the same in every run of a seed. */
export type Chance = () => number

/** sfc32 (C. Doty-Humphrey): 128 bits of state, so that seeds do not share one cycle. */
export function chanceOf(seed: number): Chance {
  let [a, b, c, d] = [0x9e3779b9 ^ seed, 0x243f6a88, 0xb7e15162 ^ (seed * 2_654_435_761), seed | 1]
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
  // The first outputs of near seeds are alike.
  for (let i = 0; i < 20; i++) {
    next()
  }
  return next
}

/** A whole number from 0 to below a bound. */
export function below(chance: Chance, bound: number): number {
  return Math.floor(bound * chance())
}

/** One of a list that is not empty. */
export function pick<T>(chance: Chance, list: readonly T[]): T {
  return list[below(chance, list.length)] as T
}
