import type { EventLine, StreamLine } from './lines.ts'

export interface PlanOptions {
  /** Report only the first so many events of each agent; what follows is its future. */
  readonly history: number
  /** How many events behind the history are its true later success. */
  readonly future: number
  /** Report so many events in all. */
  readonly eventsMax: number
}

/** What a first reading of the stream tells of an agent. */
export interface AgentPlan {
  readonly name: string
  /** How many of its events are reported, and how many of those were good. */
  readonly reported: number
  readonly reportedGood: number
  /** Seconds, of the first and last event of its history; the same however much of it is reported. */
  readonly from: number
  readonly to: number
  /** What came later. Undefined where nothing did, or where the history was cut off by `eventsMax`. */
  readonly truth: { readonly good: number; readonly total: number } | undefined
}

export interface Plan {
  readonly agents: ReadonlyMap<string, AgentPlan>
  /** Their places in order of appearance, from 0. */
  readonly platforms: ReadonlyMap<string, number>
  readonly events: number
}

/** An event to report: `index` is its place among its agent's, from 0. */
export interface Planned {
  readonly plan: AgentPlan
  readonly line: EventLine
  readonly index: number
}

type Fate = 'report' | 'cut' | 'future' | 'beyond'
type Tally = { -readonly [K in keyof AgentPlan]: AgentPlan[K] } & {
  later: { good: number; total: number }
  cut: boolean
}

/** Reads the stream once, to know each agent's span of time and its future. Memory grows with agents. */
export async function planOf(
  lines: AsyncIterable<StreamLine>,
  options: PlanOptions,
): Promise<Plan> {
  const judge = createJudge(options)
  const tallies = new Map<string, Tally>()
  const platforms = new Map<string, number>()
  let events = 0
  for await (const line of lines) {
    const tally = tallyOf(tallies, line.agent)
    if ('outcome' in line) {
      tally.truth = { good: line.outcome, total: 1 }
      continue
    }
    const { fate } = judge(line)
    count(tally, line, fate)
    if (fate !== 'report') {
      continue
    }
    if (!platforms.has(line.platform)) {
      platforms.set(line.platform, platforms.size)
    }
    events++
  }
  return { agents: settle(tallies, options.history), platforms, events }
}

/** Reads the stream again and hands out what is to be reported. Ends with the last of it. */
export async function* plannedEvents(
  lines: AsyncIterable<StreamLine>,
  plan: Plan,
  options: PlanOptions,
): AsyncGenerator<Planned, void> {
  const judge = createJudge(options)
  let left = plan.events
  if (left === 0) {
    return
  }
  for await (const line of lines) {
    if ('outcome' in line) {
      continue
    }
    const { fate, index } = judge(line)
    const own = plan.agents.get(line.agent)
    if (fate !== 'report' || own === undefined) {
      continue
    }
    yield { plan: own, line, index }
    if (--left === 0) {
      return
    }
  }
}

/** Both readings ask the same judge, or they would not agree on which event is whose future. */
function createJudge(options: PlanOptions): (line: EventLine) => { fate: Fate; index: number } {
  const seen = new Map<string, number>()
  let reported = 0
  return ({ agent }) => {
    const index = seen.get(agent) ?? 0
    seen.set(agent, index + 1)
    if (index >= options.history + options.future) {
      return { fate: 'beyond', index }
    }
    if (index >= options.history) {
      return { fate: 'future', index }
    }
    if (reported === options.eventsMax) {
      return { fate: 'cut', index }
    }
    reported++
    return { fate: 'report', index }
  }
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const known = tallies.get(name)
  if (known) {
    return known
  }
  const tally: Tally = {
    name,
    reported: 0,
    reportedGood: 0,
    from: Number.POSITIVE_INFINITY,
    to: Number.NEGATIVE_INFINITY,
    truth: undefined,
    later: { good: 0, total: 0 },
    cut: false,
  }
  tallies.set(name, tally)
  return tally
}

function count(tally: Tally, line: EventLine, fate: Fate): void {
  if (fate === 'report' || fate === 'cut') {
    tally.from = Math.min(tally.from, line.t)
    tally.to = Math.max(tally.to, line.t)
  }
  switch (fate) {
    case 'report':
      tally.reported++
      tally.reportedGood += line.good
      return
    case 'future':
      tally.later.good += line.good
      tally.later.total++
      return
    case 'cut':
      tally.cut = true
      return
    case 'beyond':
      return
  }
}

/** An outcome, where the stream has one, is the truth; else the later events are. */
function settle(tallies: ReadonlyMap<string, Tally>, history: number): Map<string, AgentPlan> {
  const plans = new Map<string, AgentPlan>()
  for (const [name, { later, cut, ...plan }] of tallies) {
    if (plan.reported === 0) {
      continue
    }
    const future = plan.reported === history && later.total > 0 ? later : undefined
    plans.set(name, { ...plan, truth: cut ? undefined : (plan.truth ?? future) })
  }
  return plans
}
