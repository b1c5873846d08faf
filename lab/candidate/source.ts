/** What one reporter said of an agent, and the vote that follows from it. */
import { exp, ln } from '../../src/domain/math.ts'
import type { Model } from './model.ts'

/** Sums of one reporter. Replaced, never written to: most reporters stay as they are. */
export interface Said {
  readonly reporter: string
  readonly workGood: number
  readonly workBad: number
  readonly moneyGood: number
  readonly moneyBad: number
  /** How unlikely the latest reports are under the rate before them: the CUSUM of the reporter. */
  readonly alarm: number
  /** The greatest weight with which it praised, and with which it complained. */
  readonly upWeight: number
  readonly downWeight: number
  /** Days with good reports that the agent had when the reporter last complained. */
  readonly complainedOn: number
  /** log2(1 + dollars) of what the agent carried well for it. */
  readonly carried: number
}

/** The same with what follows from it alone: kept, because most votes do not change with an event. */
export interface Source extends Said {
  /** Bad odds of both dimensions together: the vote is 1 / (1 + halfTrustOdds · badOdds). */
  readonly badOdds: number
  /** The vote without alarm. */
  readonly vote: number
  /** Weight of the vote for the levels below it, and against those above it. */
  readonly up: number
  readonly down: number
}

export const NOTHING_SAID: Said = {
  reporter: '',
  workGood: 0,
  workBad: 0,
  moneyGood: 0,
  moneyBad: 0,
  alarm: 0,
  upWeight: 0,
  downWeight: 0,
  complainedOn: 0,
  carried: 0,
}

/** Sums are kept in single precision, so that they are written down in four bytes each. */
const single = Math.fround

/**
 * Each dimension is shrunk to the rate of both: what a platform has not seen it presumes as it found
 * the rest. Bad odds add up, so that what is bad in one dimension is not bought off by the other.
 */
export function sourceOf(model: Model, said: Said, activeDays: number): Source {
  const { workGood, workBad, moneyGood, moneyBad } = said
  const good = workGood + moneyGood
  const bad = workBad + moneyBad
  const rate = (good + 1) / (good + bad + 2)
  const presumedGood = model.dimensionPrior * rate
  const presumedBad = model.dimensionPrior - presumedGood
  const { reliability, financial } = model.weights
  const badOdds =
    (reliability * ((workBad + presumedBad) / (workGood + presumedGood)) +
      financial * ((moneyBad + presumedBad) / (moneyGood + presumedGood))) /
    (reliability + financial)
  const praise = good < model.goodFull ? good / model.goodFull : 1
  const blame = bad < model.badFull ? bad / model.badFull : 1
  return {
    reporter: said.reporter,
    workGood,
    workBad,
    moneyGood,
    moneyBad,
    alarm: said.alarm,
    upWeight: said.upWeight,
    downWeight: said.downWeight,
    complainedOn: said.complainedOn,
    carried: said.carried,
    badOdds,
    vote: 1 / (1 + model.halfTrustOdds * badOdds),
    up: said.upWeight * praise,
    down: said.downWeight * blame * blame * graveness(model, activeDays - said.complainedOn - 1),
  }
}

/** What is left of complaints after days, beyond the first, on which others had good to say. */
function graveness(model: Model, silent: number): number {
  if (silent <= 0) {
    return 1
  }
  return Math.max(model.grievanceMin, exp((-Math.LN2 * silent) / model.grievanceHalfDays))
}

/** What is said of work, or of money. */
export type Kind = 'work' | 'money'

export interface Report {
  readonly kind: Kind
  /** Good above zero, bad below. */
  readonly observation: number
  readonly weight: number
  /** Days with good reports that the agent has had. */
  readonly day: number
  /** log2(1 + dollars); 0 without. */
  readonly carried: number
}

export function withReport(model: Model, said: Said, report: Report): Source {
  const { kind, observation, weight } = report
  const good = observation > 0 ? observation : 0
  const bad = observation < 0 ? -observation : 0
  const work = kind === 'work'
  return sourceOf(
    model,
    {
      reporter: said.reporter,
      workGood: work ? single(said.workGood + good) : said.workGood,
      workBad: work ? single(said.workBad + bad) : said.workBad,
      moneyGood: work ? said.moneyGood : single(said.moneyGood + good),
      moneyBad: work ? said.moneyBad : single(said.moneyBad + bad),
      alarm: alarmAfter(model, said, work, observation),
      upWeight: good > 0 ? Math.max(said.upWeight, weight) : said.upWeight,
      downWeight: bad > 0 ? Math.max(said.downWeight, weight) : said.downWeight,
      complainedOn: bad > 0 ? report.day : said.complainedOn,
      carried: carriedAfter(model, said.carried, report),
    },
    report.day,
  )
}

/**
 * Page's CUSUM of "the odds are a tenth of what they were": with odds o before the report, a bad one is
 * ln((1 + o) / (1 + o / 10)) likelier after the change, a good one less likely by the rest of ln 10.
 * Of bad reports the integral is taken, so that many small ones alarm as much as few large ones.
 */
function alarmAfter(model: Model, said: Said, work: boolean, observation: number): number {
  const { alarm } = said
  if (observation === 0 || (observation > 0 && alarm === 0)) {
    return alarm
  }
  const good = 1 + (work ? said.workGood : said.moneyGood)
  const bad = 1 + (work ? said.workBad : said.moneyBad)
  if (observation < 0) {
    const most = good / model.betrayedOddsMin
    if (bad >= most) {
      return alarm
    }
    const surprise =
      surpriseOf(model, good, Math.min(bad - observation, most)) - surpriseOf(model, good, bad)
    return single(Math.min(model.alarmMax, alarm + surprise))
  }
  const odds = good / bad
  const likelier = ln((1 + odds) / (1 + odds / model.betrayalOdds))
  const step = Math.min(-model.alarmStep, likelier - ln(model.betrayalOdds))
  return single(Math.max(0, alarm + step * observation))
}

/** The integral of ln((1 + o) / (1 + o / k)) over the bad mass, up to a constant. */
function surpriseOf({ betrayalOdds }: Model, good: number, bad: number): number {
  const before = bad + good
  const after = bad + good / betrayalOdds
  return before * ln(before) - after * ln(after)
}

/** Payments larger than what was carried raise it by a step each; one that went wrong lowers it. */
function carriedAfter(
  model: Model,
  before: number,
  { kind, observation, carried }: Report,
): number {
  if (kind !== 'money' || carried === 0) {
    return before
  }
  if (observation < 0) {
    return single(Math.max(0, before - 4 * model.carriedStep))
  }
  return carried > before ? single(Math.min(carried, before + model.carriedStep)) : before
}

/** Rates forget beyond the most they remember, and fade. */
export function aged(model: Model, source: Source, kept: number, activeDays: number): Source {
  const work = kept * roomFor(model, source.workGood + source.workBad)
  const money = kept * roomFor(model, source.moneyGood + source.moneyBad)
  return sourceOf(
    model,
    {
      reporter: source.reporter,
      workGood: single(source.workGood * work),
      workBad: single(source.workBad * work),
      moneyGood: single(source.moneyGood * money),
      moneyBad: single(source.moneyBad * money),
      alarm: source.alarm,
      upWeight: source.upWeight,
      downWeight: source.downWeight,
      complainedOn: source.complainedOn,
      carried: source.carried,
    },
    activeDays,
  )
}

function roomFor(model: Model, mass: number): number {
  return mass > model.massMax ? model.massMax / mass : 1
}
