import { below, type Chance } from '../../src/domain/testing/chance.ts'

/** Runs asynchronous work in an order that a seed determines, on a clock of its own. */
export interface Scheduler {
  readonly chance: Chance
  /** Milliseconds since 1970. */
  now(): number
  /** A point where any other work may go first. The work of a process that is dead goes no further. */
  step(isDead?: () => boolean): Promise<void>
  /** Runs what waits, one piece at a time, until the work is over. */
  run(isOver: () => boolean): Promise<void>
}

interface Timer {
  readonly at: number
  readonly fire: () => void
}

/** A seed that needs more has come to a standstill, or goes in circles. */
const STEPS_MAX = 500_000

const START = Date.UTC(2026, 5, 15, 12)

/** Work is tried in all orders; time passes a little with each of its steps. */
const STEP_MS = 2

/** Timers are the scheduler's while `use` runs, so that nothing waits for a real clock. */
export async function withScheduler<T>(
  chance: Chance,
  use: (scheduler: Scheduler) => Promise<T>,
): Promise<T> {
  const ready: (() => void)[] = []
  const timers = new Map<number, Timer>()
  let nextTimer = 1
  let now = START

  function setTimer(fire: () => void, ms: number, everyMs: number | null) {
    const id = nextTimer++
    const set = (at: number) =>
      timers.set(id, {
        at,
        fire() {
          timers.delete(id)
          if (everyMs !== null) {
            set(now + everyMs)
          }
          fire()
        },
      })
    set(now + ms)
    return { id, unref: () => ({ id }) }
  }

  /** The timer that is due next; the clock advances to it. */
  function fireNext(): boolean {
    let first: Timer | null = null
    for (const timer of timers.values()) {
      first = first === null || timer.at < first.at ? timer : first
    }
    if (first === null) {
      return false
    }
    now = Math.max(now, first.at)
    first.fire()
    return true
  }

  const scheduler: Scheduler = {
    chance,
    now: () => now,
    step: (isDead = () => false) =>
      new Promise((resolve) => {
        ready.push(() => {
          if (!isDead()) {
            resolve()
          }
        })
      }),
    async run(isOver) {
      for (let steps = 0; ; steps++) {
        await settled()
        if (isOver()) {
          return
        }
        if (steps > STEPS_MAX) {
          throw new Error('the run does not come to an end')
        }
        const isTimersTurn = ready.length === 0 || chance() < TIMER_SHARE
        if (isTimersTurn && fireNext()) {
          continue
        }
        const [next] = ready.splice(below(chance, ready.length), 1)
        now += STEP_MS
        if (!next) {
          throw new Error('everything waits, and nothing can go on')
        }
        next()
      }
    },
  }

  const restore = replaceTimers({
    setTimeout: (fire: () => void, ms = 0) => setTimer(fire, ms, null),
    setInterval: (fire: () => void, ms = 0) => setTimer(fire, ms, ms),
    setImmediate: (fire: () => void) => void ready.push(fire),
    clearTimeout: (timer?: { id: number }) => void timers.delete(timer?.id ?? 0),
    clearInterval: (timer?: { id: number }) => void timers.delete(timer?.id ?? 0),
  })
  try {
    return await use(scheduler)
  } finally {
    restore()
  }
}

/** How often a timer goes before work that could go on: it may be late by any amount. */
const TIMER_SHARE = 0.02

/** Resolves when every promise that can be settled is: the ticks of a process come after its promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

function replaceTimers(mine: Readonly<Record<string, unknown>>): () => void {
  const timers = globalThis as unknown as Record<string, unknown>
  const before = Object.keys(mine).map((name) => [name, timers[name]] as const)
  Object.assign(timers, mine)
  return () => Object.assign(timers, Object.fromEntries(before))
}
