/**
 * How events become evidence. Every function here is pure: the same evidence and event give the
 * same evidence, to the last bit, on any machine.
 */

import { advanceTo, dayOf } from './decay.ts'
import { EVENT_TYPES, type EventData, type EventType } from './event.ts'
import { amountUsd, eventWeight } from './event-weight.ts'
import {
  type Evidence,
  type MutableEvidence,
  mutableCopy,
  newSource,
  type Source,
  type Track,
} from './evidence-state.ts'
import { exp, log2 } from './math.ts'
import type { Model } from './model.ts'
import { addOutcome } from './outcome-counts.ts'

export { decodeEvidence, encodeEvidence } from './codec.ts'
export { type Evidence, newEvidence } from './evidence-state.ts'

/** An event that counts: accepted, and not quarantined. */
export interface CountedEvent {
  readonly type: EventType
  readonly data: EventData
  /** Id of the reporter. */
  readonly reporter: string
  /** A tenth of the weight: the agent itself, its owner, or a platform that its owner runs. */
  readonly self: boolean
  /** How much of it counts, 0 to 1: of a platform less since reviews found against it, of the agent's own
   *  side nothing of a credential whose type it issued before. 1 unless given. */
  readonly trust?: number
  /** Milliseconds since 1970, the time of receipt. Events are folded in the order of receipt. */
  readonly at: number
}

/** The evidence with one event more. One dated before the last counts at the time of the last. */
export function addEvent(model: Model, evidence: Evidence, event: CountedEvent): Evidence {
  const sameDay = dayOf(event.at) <= dayOf(evidence.at)
  const draft = mutableCopy(evidence, sameDay ? EVENT_TYPES[event.type].dimension : 'all')
  add(model, draft, event)
  return draft
}

/** The evidence with all events more, in their order: addEvent for each, copied but once. */
export function foldEvents(
  model: Model,
  evidence: Evidence,
  events: Iterable<CountedEvent>,
): Evidence {
  const draft = mutableCopy(evidence)
  for (const event of events) {
    add(model, draft, event)
  }
  return draft
}

function add(model: Model, draft: MutableEvidence, event: CountedEvent): void {
  advanceTo(model, draft, event.at)
  if (event.self) {
    draft.selfReported += 1
  } else {
    countReport(model, draft, event)
  }
  switch (EVENT_TYPES[event.type].dimension) {
    case 'reliability':
      addToTrack(
        model,
        draft.reliability,
        event,
        eventWeight(model, event.type, event.data),
        dayOf(draft.at),
      )
      break
    case 'financial':
      addPayment(model, draft, event)
      break
    case 'identity':
      addCredential(model, draft, event)
  }
}

/** Every report counts as one, whatever its size, or as much of one as its reporter is trusted. Only
 *  of uptime the figure decides whether it is a good one. */
function countReport(
  model: Model,
  { outcomeCounts: tallies }: MutableEvidence,
  event: CountedEvent,
): void {
  const { type, data } = event
  const weight = trustIn(event)
  switch (EVENT_TYPES[type].data) {
    case 'task':
      tallies.tasks = addOutcome(model, tallies.tasks, type === 'task.completed', weight)
      break
    case 'payment':
      tallies.payments = addOutcome(model, tallies.payments, type === 'payment.completed', weight)
      break
    case 'uptime':
    case 'error':
      tallies.upkeep = addOutcome(model, tallies.upkeep, eventWeight(model, type, data) > 0, weight)
      break
    case 'credential':
  }
}

function addPayment(model: Model, draft: MutableEvidence, event: CountedEvent): void {
  const { payments } = draft
  const usual = payments.usualWeight > 0 ? payments.usualSum / payments.usualWeight : undefined
  let mass = eventWeight(model, event.type, event.data, usual)
  if (mass > 0 && !event.self) {
    const usd = amountUsd(event.data)
    if (usd > 0) {
      payments.usualSum = payments.usualSum * model.usualMemory + log2(1 + usd)
      payments.usualWeight = payments.usualWeight * model.usualMemory + 1
    }
    if (mass < model.smallSize) {
      mass = Math.min(mass, Math.max(0, model.smallWeightPerDay - payments.smallToday))
      payments.smallToday += mass
    }
  }
  addToTrack(model, draft.financial, event, mass, dayOf(draft.at))
}

function addToTrack(
  model: Model,
  track: Track,
  event: CountedEvent,
  full: number,
  today: number,
): void {
  const mass = full * trustIn(event)
  track.eventCount += 1
  if (event.self) {
    addToRecent(model, track, event.self, track.self, mass)
    track.self = withMass(track.self, mass)
    return
  }
  const place = placeOf(model, track.sources, event.reporter)
  const isPool = place === model.platformsMax
  const source = track.sources[place] ?? newSource(isPool ? '' : event.reporter)
  track.sources[place] = withMass(source, mass)
  addToRecent(model, track, event.self, source, mass)
  if (mass <= 0) {
    return
  }
  if (track.firstDay < 0) {
    track.firstDay = today
  }
  track.activeToday = 1
}

function trustIn({ trust = 1 }: CountedEvent): number {
  return trust
}

function withMass({ reporter, good, bad, badToday }: Source, mass: number): Source {
  return mass < 0
    ? { reporter, good, bad: bad - mass, badToday: badToday - mass }
    : { reporter, good: good + mass, bad, badToday }
}

/** Where a platform's sums are or are to be, or, if it comes after too many others, the pool's. */
function placeOf(model: Model, sources: readonly Source[], reporter: string): number {
  for (let i = 0; i < sources.length; i++) {
    if (sources[i]?.reporter === reporter) {
      return i
    }
  }
  return Math.min(sources.length, model.platformsMax)
}

/**
 * What is new displaces its share of the run, the same share whether it came in one report or in ten. A
 * platform among several may fill only a part of the run with bad news a day. An agent's own bad news
 * count a tenth there, its own good news not at all: they must not hide a bad run.
 */
function addToRecent(
  model: Model,
  track: Track,
  self: boolean,
  source: Source,
  mass: number,
): void {
  if (mass < 0 && self) {
    displace(model, track, 0, -model.selfWeight * mass)
  } else if (mass < 0) {
    displace(model, track, 0, Math.min(-mass, roomForAlarm(model, track, source)))
  } else if (!self) {
    displace(model, track, mass, 0)
  }
}

function displace(model: Model, track: Track, good: number, bad: number): void {
  const kept = exp(-(good + bad) / model.recentEvidence)
  const room = model.recentEvidence * (1 - kept)
  track.recentGood = track.recentGood * kept + (good > 0 ? room : 0)
  track.recentBad = track.recentBad * kept + (bad > 0 ? room : 0)
}

function roomForAlarm(model: Model, track: Track, source: Source): number {
  if (track.sources.length === 1) {
    return Infinity
  }
  return Math.max(0, model.recentShareMax * model.recentEvidence - source.badToday)
}

function addCredential(model: Model, draft: MutableEvidence, event: CountedEvent): void {
  const { identity } = draft
  const issued = event.type === 'credential.issued'
  const most = model.ownCredentialsMax
  identity.eventCount += 1
  if (issued && event.self) {
    identity.claimed = Math.min(most, identity.claimed + trustIn(event))
  } else if (issued) {
    identity.verified += trustIn(event)
  } else if (event.self) {
    identity.claimed = Math.max(0, identity.claimed - trustIn(event))
    identity.withdrawn = Math.min(most, identity.withdrawn + trustIn(event))
  } else {
    identity.verified = Math.max(0, identity.verified - trustIn(event))
    identity.revoked = Math.min(model.revokedMax, identity.revoked + trustIn(event))
  }
}
