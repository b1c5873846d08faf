/**
 * What the votes say together. For each level x of trust the reporters whose vote lies above x stand
 * for it, those below against it; trust is the area under the share that x wins. That is a trimmed
 * mean of the votes (a Choquet integral), with one weight for praise and one for blame: praise depends
 * on good reports alone, blame on bad ones alone, so that no better report ever lowers the result.
 */
import { exp } from '../../src/domain/math.ts'
import type { Evidence } from './evidence.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'

/** The votes as they count now, in ascending order: places, and weights for and against. */
export interface Votes {
  readonly at: number[]
  readonly up: number[]
  readonly down: number[]
}

export interface Agreed {
  /** The area under what each level wins, as far as a whole vote stands for it; and both ends of what
   *  minorities would say. */
  readonly trust: number
  readonly low: number
  readonly high: number
  /** The part below `unknownTrust`, which needs no evidence. */
  readonly presumed: number
  /** Share of the weight that denies that the agent is good, and that says it is bad. */
  readonly denied: number
  readonly condemned: number
  /** Weight of the votes against the agent, and for it. */
  readonly against: number
  readonly inFavour: number
}

/** Few, and mostly in order: an insertion sort is the fastest. */
export function votesOf(model: Model, { sources, crowd, self }: Evidence): Votes {
  const shared = sharedAlarm(model, sources)
  const votes: Votes = { at: [], up: [], down: [] }
  for (let i = 0; i < sources.length; i++) {
    insert(model, votes, sources[i] as Source, shared)
  }
  insert(model, votes, crowd, shared)
  insert(model, votes, self, 0)
  return votes
}

function insert(model: Model, { at, up, down }: Votes, source: Source, shared: number): void {
  if (source.up === 0 && source.down === 0) {
    return
  }
  const excess = source.alarm + shared - model.alarmFrom
  const place =
    excess > 0 && source.alarm > 0
      ? 1 / (1 + model.halfTrustOdds * source.badOdds * exp(excess))
      : source.vote
  let i = at.length
  at.push(place)
  up.push(source.up)
  down.push(source.down)
  for (; i > 0 && (at[i - 1] as number) > place; i--) {
    at[i] = at[i - 1] as number
    up[i] = up[i - 1] as number
    down[i] = down[i - 1] as number
  }
  at[i] = place
  up[i] = source.up
  down[i] = source.down
}

/** How much earlier alarm begins: nothing until more than half of the votes show some. */
function sharedAlarm(model: Model, sources: Evidence['sources']): number {
  let alarmed = 0
  let calm = model.sharedCalm
  for (let i = 0; i < sources.length; i++) {
    const { alarm, downWeight, up } = sources[i] as Source
    if (alarm === 0) {
      calm += up
      continue
    }
    const share = Math.min(1, alarm / model.sharedAlarmFull)
    alarmed += downWeight * share
    calm += up * (1 - share)
  }
  return alarmed > calm ? (model.sharedAlarm * (alarmed - calm)) / (alarmed + calm) : 0
}

/** Share that a level wins when this share of the weight is against it. */
function won(model: Model, against: number): number {
  const lost = (against - model.trimLow) / (1 - model.trimLow - model.trimHigh)
  return lost <= 0 ? 1 : lost >= 1 ? 0 : 1 - lost
}

/** Above all but the least minorities, and only what hardly anyone denies. */
function wonAtBest(against: number): number {
  return against <= 0.5 ? 1 : 2 - 2 * against
}

function wonAtWorst(against: number): number {
  return against >= 0.5 ? 0 : 1 - 2 * against
}

export function agree(model: Model, votes: Votes): Agreed {
  const n = votes.at.length
  // Weight for a level is summed from the top, weight against it from the bottom: both exactly.
  const ups: number[] = [...votes.up, 0]
  for (let i = n - 1; i >= 0; i--) {
    ups[i] = (ups[i] as number) + (ups[i + 1] as number)
  }
  let down = 0
  let from = 0
  let trust = 0
  let low = 0
  let high = 0
  let presumed = 0
  let denied = 0
  let condemned = 0
  let against = 0
  let inFavour = 0
  for (let i = 0; i <= n; i++) {
    const to = i < n ? (votes.at[i] as number) : 1
    const up = ups[i] as number
    if (to > from) {
      if (up > 0) {
        const f = down / (up + down)
        const known = up < 1 ? (to - from) * up : to - from
        trust += known * won(model, f)
        low += known * wonAtWorst(f)
        high += (to - from) * wonAtBest(f)
      }
      const doubt = down / (up + model.unknownWeight + down)
      if (from < model.unknownTrust) {
        presumed += (Math.min(to, model.unknownTrust) - from) * won(model, doubt)
      }
      if (from < model.against) {
        const denying = Math.min(to, model.against) - Math.max(from, model.deniedFully)
        if (denying > 0) {
          denied += denying * doubt
        }
        if (from < model.deniedFully) {
          condemned += (Math.min(to, model.deniedFully) - from) * doubt
        }
      }
      from = to
    }
    if (i === n) {
      break
    }
    down += votes.down[i] as number
    if (to < model.against) {
      against += votes.down[i] as number
    } else {
      inFavour += votes.up[i] as number
    }
  }
  return {
    trust,
    low,
    high,
    presumed,
    denied: denied / (model.against - model.deniedFully),
    condemned: condemned / model.deniedFully,
    against,
    inFavour,
  }
}
