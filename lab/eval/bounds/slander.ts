/** Established platforms, or others, that report bad of an honest agent. */

import type { EventType } from '../../../src/domain/event.ts'
import { GOOD } from '../tiers.ts'
import type { Run } from './bound.ts'
import { attackDay, type Campaign, type Work } from './days.ts'
import { extremesOf } from './measures.ts'
import { worldWithAgent } from './world.ts'

export const TASKS: readonly EventType[] = ['task.failed', 'task.timeout']
export const PAYMENTS: readonly EventType[] = ['payment.disputed', 'payment.failed']
export const ANY: readonly EventType[] = [...TASKS, ...PAYMENTS, 'error.reported']
export const PRAISE: readonly EventType[] = ['task.completed', 'payment.completed']

export interface Slander {
  /** Platforms that report on the agent, and how many of them are hostile. */
  readonly platforms: number
  readonly hostile: number
  readonly isEstablished?: boolean
  readonly days?: number
  readonly perDay?: number
  readonly types?: readonly EventType[]
  /** Share of good reports among the hostile ones. */
  readonly camouflage?: number
  /** Days of the agent before the attack, and how many of them the hostile ones praised it. */
  readonly age?: number
  readonly praisedDays?: number
  /** Whether the hostile ones report nothing on two days of seven, the last ones of each week. */
  readonly isClosedAtWeekends?: boolean
  readonly work?: Work
}

export interface Harm {
  /** The greatest difference from the twin without the attack, after any event. */
  readonly points: number
  readonly lowest: number
  /** The highest score from the third day of the attack on, and days of them on which it is disputed. */
  readonly highest: number
  readonly disputedDays: number
  /** Days after the attack until the agent is Good again. */
  readonly backDays: number
}

const BACK_DAYS_MAX = 40

export function slander(run: Run, plan: Slander): Harm {
  const { platforms, hostile, isEstablished = true, days = 30, praisedDays = 0, work = {} } = plan
  const hostiles = isEstablished ? { colluders: hostile } : { outsiders: hostile }
  const world = worldWithAgent(
    run,
    { honest: platforms - hostile, ...hostiles },
    { days: (plan.age ?? 180) - praisedDays, work },
  )
  const by = isEstablished ? world.colluders : world.outsiders
  for (let day = 0; day < praisedDays; day++) {
    const praise = attackDay(world, 'agent', { by, perDay: 1, types: PRAISE, good: 1 })
    world.play([...world.honestDay('agent', work), ...praise])
  }
  const campaign: Campaign = {
    by,
    perDay: plan.perDay ?? 6,
    types: plan.types ?? ANY,
    good: plan.camouflage ?? 0,
  }
  const extremes = extremesOf(world, 'agent')
  let [highest, disputedDays] = [0, 0]
  for (let day = 0; day < days; day++) {
    const isClosed = plan.isClosedAtWeekends && world.day % 7 >= 5
    const attack = isClosed ? [] : attackDay(world, 'agent', campaign)
    world.play([...world.honestDay('agent', work), ...attack], (at) => {
      const now = extremes.take(at)
      highest = day >= 2 ? Math.max(highest, now) : highest
    })
    disputedDays += day >= 2 && world.score('agent').disputed.isDisputed ? 1 : 0
  }
  let backDays = 0
  for (; backDays < BACK_DAYS_MAX && world.points('agent') < GOOD; backDays++) {
    world.play(world.honestDay('agent', work))
  }
  const { lost: points, lowest } = extremes
  return { points, lowest, highest, disputedDays, backDays }
}
