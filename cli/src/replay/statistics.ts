/** What was foretold of one agent, and what came. */
export interface Forecasted {
  readonly score: number
  readonly good: number
  /** Of how many; 1 or more. */
  readonly total: number
}

/**
 * Spearman's rank correlation of the scores with the true shares of success, ties sharing their
 * mean rank. Undefined where either side does not vary.
 */
export function spearman(agents: readonly Forecasted[]): number | undefined {
  const scores = ranks(agents.map((agent) => agent.score))
  const truths = ranks(agents.map((agent) => agent.good / agent.total))
  return pearson(scores, truths)
}

/** From 1, in ascending order; equal values share the mean of their places. */
export function ranks(values: readonly number[]): readonly number[] {
  const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value)
  const result = new Array<number>(values.length)
  let from = 0
  for (const group of groups(order, (entry) => entry.value)) {
    for (const { at } of group) {
      result[at] = from + (group.length + 1) / 2
    }
    from += group.length
  }
  return result
}

function pearson(xs: readonly number[], ys: readonly number[]): number | undefined {
  const [mx, my] = [mean(xs), mean(ys)]
  let [xy, xx, yy] = [0, 0, 0]
  for (const [n, x] of xs.entries()) {
    const y = ys[n] ?? 0
    xy += (x - mx) * (y - my)
    xx += (x - mx) ** 2
    yy += (y - my) ** 2
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : undefined
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * How often a good later event is foretold by a higher score than a bad one (area under the ROC
 * curve; equal scores count half). Each agent's score stands for all its later events. Undefined
 * where all of them went one way.
 */
export function auc(agents: readonly Forecasted[]): number | undefined {
  const order = [...agents].sort((a, b) => a.score - b.score)
  let [good, bad, won] = [0, 0, 0]
  for (const group of groups(order, (agent) => agent.score)) {
    const goods = group.reduce((sum, agent) => sum + agent.good, 0)
    const bads = group.reduce((sum, agent) => sum + agent.total - agent.good, 0)
    won += goods * (bad + bads / 2)
    good += goods
    bad += bads
  }
  return good > 0 && bad > 0 ? won / (good * bad) : undefined
}

/** Neighbours of equal key, together. */
function* groups<T>(sorted: readonly T[], keyOf: (item: T) => number): Generator<readonly T[]> {
  let group: T[] = []
  for (const item of sorted) {
    const [first] = group
    if (first !== undefined && keyOf(first) !== keyOf(item)) {
      yield group
      group = []
    }
    group.push(item)
  }
  if (group.length > 0) {
    yield group
  }
}
