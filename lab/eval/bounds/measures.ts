/** What is measured of an agent while days are played. */
import { NEVER } from './bound.ts'
import type { Planned } from './days.ts'
import type { World } from './world.ts'

/** No agent of the model stays Good for three bad days; a variant of the model may keep it Good for ever. */
const BAD_DAYS_MAX = 60

/** Events of bad days until the agent has fewer points than `limit`; NEVER where it does not within 60 days. */
export function eventsUntilBelow(
  world: World,
  agent: string,
  limit: number,
  badDay: () => readonly Planned[],
): number {
  let events = 0
  let isBelow = false
  for (let day = 0; day < BAD_DAYS_MAX && !isBelow; day++) {
    world.play(badDay(), (at) => {
      events += isBelow ? 0 : 1
      isBelow ||= world.points(agent, at) < limit
    })
  }
  return isBelow ? events : NEVER
}

/** Extremes of an agent's points, and of how far they are from those of its twin without the attack. */
export interface Extremes {
  /** Takes the points at a time, by default the end of the last day, and returns them. */
  take(at?: number): number
  /** The most points below the twin, and above it; 0 where it never is. */
  readonly lost: number
  readonly gained: number
  readonly lowest: number
  readonly highest: number
}

export function extremesOf(world: World, agent: string): Extremes {
  let [lost, gained, lowest, highest] = [0, 0, 1000, 0]
  return {
    take(at) {
      const points = world.points(agent, at)
      const above = points - world.twinPoints(agent, at)
      lost = Math.max(lost, -above)
      gained = Math.max(gained, above)
      lowest = Math.min(lowest, points)
      highest = Math.max(highest, points)
      return points
    },
    get lost() {
      return lost
    },
    get gained() {
      return gained
    },
    get lowest() {
      return lowest
    },
    get highest() {
      return highest
    },
  }
}
