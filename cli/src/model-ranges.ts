import { MODEL, type Model } from '../../src/domain/model.ts'

/** The values that a figure of the model may have, both ends included. */
interface Range {
  readonly min: number
  readonly max: number
  readonly isWhole?: true
}

const SHARE: Range = { min: 0, max: 1 }
const OBSERVATION: Range = { min: -1, max: 1 }
const POINTS: Range = { min: 0, max: MODEL.scoreMax }

/** An amount without an upper end. A number of JSON may be beyond a double, which is refused. */
const AMOUNT: Range = { min: 0, max: Number.MAX_VALUE }

/** What is divided by. Smaller values give scores that are not numbers. */
const DIVISOR: Range = { min: 1e-6, max: Number.MAX_VALUE }

/** A limit of what is kept of an agent, which has to fit into memory. */
const COUNT: Range = { min: 0, max: 10_000, isWhole: true }

/** The highest uptime short of 100, at which no downtime is left to compare with. */
const PERCENT: Range = { min: 1e-6, max: 99.999999 }

/** The figures that are numbers or consist of numbers; a new one has to have its range here. */
type Figure = Exclude<keyof Model, 'version'>

const RANGES: Readonly<Record<Figure, Range>> = {
  scoreMax: { min: MODEL.scoreMax, max: MODEL.scoreMax },
  weights: SHARE,
  taskObservation: OBSERVATION,
  errorObservation: OBSERVATION,
  paymentObservation: OBSERVATION,
  lateStart: SHARE,
  lateAtOnceShare: SHARE,
  latePerDoubling: SHARE,
  lateDays: DIVISOR,
  lateMax: SHARE,
  lateUnknown: SHARE,
  uptimeGoodMax: SHARE,
  uptimeNonePercent: PERCENT,
  uptimeFullPercent: PERCENT,
  uptimeUnknownPercent: { min: 0, max: 100 },
  hardnessMax: AMOUNT,
  easyFrom: AMOUNT,
  halfTrustOdds: DIVISOR,
  dimensionPrior: DIVISOR,
  othersMax: AMOUNT,
  othersBadMax: AMOUNT,
  othersBad: DIVISOR,
  goodFull: DIVISOR,
  badFull: DIVISOR,
  partyGoodMax: AMOUNT,
  partyBadMax: AMOUNT,
  partiesMax: COUNT,
  trimLow: SHARE,
  trimHigh: SHARE,
  unknownTrust: SHARE,
  unknownWeight: AMOUNT,
  deniedBelow: SHARE,
  deniedFully: SHARE,
  monitorsMax: AMOUNT,
  deniedFrom: SHARE,
  deniedTo: SHARE,
  deniedCeiling: POINTS,
  identityFrom: SHARE,
  disputedShareMin: SHARE,
  intervalDeviations: AMOUNT,
  crowdWeight: SHARE,
  selfWeight: SHARE,
  ownVoteWeightMin: SHARE,
  platformsMax: COUNT,
  provisionalMax: COUNT,
  sharedVotesMax: COUNT,
  halfLifeDays: DIVISOR,
  massMax: DIVISOR,
  youngShare: SHARE,
  maturityDays: DIVISOR,
  tenurePerActiveDay: DIVISOR,
  complaintFreshDays: AMOUNT,
  complaintHalfDays: DIVISOR,
  complaintFadeMin: SHARE,
  changeOddsRatio: { min: 1, max: Number.MAX_VALUE },
  alarmFrom: AMOUNT,
  alarmMax: AMOUNT,
  alarmStepMin: AMOUNT,
  seriesSilenceSeconds: AMOUNT,
  seriesSecondsMax: AMOUNT,
  offsetMax: AMOUNT,
  sharedRunFrom: SHARE,
  calmPrior: AMOUNT,
  identityStart: SHARE,
  credentialsShare: SHARE,
  tenureHalfDays: DIVISOR,
  ownCredentialsMax: AMOUNT,
  revokedMax: AMOUNT,
  excellentDaysMin: AMOUNT,
  excellentDaysFull: AMOUNT,
  excellentReports: DIVISOR,
  compressedFrom: POINTS,
  compressedTo: POINTS,
  ceilingDays: DIVISOR,
  successorTenureShare: { min: 1e-6, max: 1 },
  classWeight: AMOUNT,
  classForecastPrior: DIVISOR,
  classesMax: COUNT,
  carriedStep: AMOUNT,
  carriedDrop: AMOUNT,
  carriedMin: AMOUNT,
  exposurePaymentsFull: DIVISOR,
  exposureFrom: POINTS,
  exposureFull: POINTS,
  forecastPrior: DIVISOR,
  forecastMemory: SHARE,
  likelihoodRatioMax: DIVISOR,
}

/** Pairs that bound a range: where the first is not below the second, a score would divide by nothing. */
const ORDERED: readonly (readonly [Figure, Figure])[] = [
  ['uptimeNonePercent', 'uptimeFullPercent'],
  ['deniedFully', 'deniedBelow'],
  ['deniedFrom', 'deniedTo'],
  ['alarmFrom', 'alarmMax'],
  ['excellentDaysMin', 'excellentDaysFull'],
  ['compressedFrom', 'compressedTo'],
  ['exposureFrom', 'exposureFull'],
]

/** How far the weights may be from 1 in sum: 0.1 + 0.2 + 0.7 is not 1 in binary. */
const ROUNDING = 1e-9

/** What a value lacks as the figure or a part of it, to be read after its name; null where it is one. */
export function rangeProblem(figure: keyof Model, value: number): string | null {
  if (figure === 'version') {
    return null
  }
  const { min, max, isWhole } = RANGES[figure]
  if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) {
    return null
  }
  const kind = isWhole ? 'a whole number' : 'a number'
  if (min === max) {
    return ` is always ${min}: scores are compared on one scale.`
  }
  return max === Number.MAX_VALUE
    ? ` must be ${kind} of at least ${min}, not ${value}.`
    : ` must be ${kind} from ${min} to ${max}, not ${value}.`
}

/** What is wrong with figures that are each in their ranges; null where they fit. */
export function fitProblem(model: Model): string | null {
  const { reliability, financial, identity } = model.weights
  const sum = reliability + financial + identity
  if (Math.abs(sum - 1) > ROUNDING) {
    return `weights must be 1 in sum, not ${Number(sum.toFixed(9))}.`
  }
  if (model.trimLow + model.trimHigh >= 1) {
    return 'trimLow and trimHigh must leave a part of the votes: less than 1 in sum.'
  }
  const wrong = ORDERED.find(([low, high]) => model[low] >= model[high])
  return wrong ? `${wrong[0]} must be less than ${wrong[1]}.` : null
}
