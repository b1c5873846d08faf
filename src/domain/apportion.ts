/**
 * Whole numbers in place of parts, which sum to a total exactly: each part is rounded down, and the
 * ones that are missing go to the parts that lost most by it (largest remainder; of equals, to the
 * first). No part is moved by more than one where the total is their sum, rounded.
 */
export function apportion(parts: readonly number[], total: number): readonly number[] {
  if (parts.length === 0) {
    return []
  }
  const whole = parts.map(Math.floor)
  const order = parts.map((_, i) => i).sort((a, b) => remainder(parts, b) - remainder(parts, a))
  let missing = total - whole.reduce((sum, part) => sum + part, 0)
  const step = missing < 0 ? -1 : 1
  // What is too much is taken first from those that would have been given last.
  if (step < 0) {
    order.reverse()
  }
  for (let i = 0; missing !== 0; i = (i + 1) % order.length, missing -= step) {
    const place = order[i] as number
    whole[place] = (whole[place] as number) + step
  }
  return whole.map((part) => part + 0)
}

function remainder(parts: readonly number[], i: number): number {
  const part = parts[i] as number
  return part - Math.floor(part)
}
