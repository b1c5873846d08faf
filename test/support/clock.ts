/** A clock that goes only when it is moved. */
export interface TestClock {
  readonly now: () => number
  move(ms: number): void
  moveTo(time: string): void
}

export function createTestClock(time: string): TestClock {
  let at = Date.parse(time)
  return {
    now: () => at,
    move(ms) {
      at += ms
    },
    moveTo(to) {
      at = Date.parse(to)
    },
  }
}
