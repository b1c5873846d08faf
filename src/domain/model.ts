import { SELF_WEIGHT } from './event.ts'

/**
 * Every figure of the scoring model, each with its reason. "Measured" means chosen by comparing
 * values on real streams and simulated attacks (docs/scoring.md); "judgement" means nothing better
 * was at hand. A change of any figure changes `version` with it.
 */
export const MODEL = {
  version: '1.2.0',
  /** The interface's own (Scoring dimensions). */
  scoreMax: 1000,
  weights: { reliability: 0.4, financial: 0.35, identity: 0.25 },
  // How evidence becomes trust.

  /** One good and one bad unit that nobody reported: Laplace's rule of succession. */
  prior: 1,
  /** Odds, good to bad, at which a dimension stands at a half: three in four. Judgement. */
  halfTrustOdds: 3,
  /** Where the upper end of the interval of a rate falls below this, the whole score suffers: an agent
   *  that is bad even at best must not be bought off by what it does well. Measured; money is held to
   *  the stricter line, and a dimension without any evidence passes both. */
  redFlagRate: { reliability: 0.8, financial: 0.85 },
  /** 90 % of a normal distribution lies within this many standard deviations. */
  intervalDeviations: 1.645,
  /** The part of a dimension's weight that may move to the better one of tasks and payments, while
   *  there is nothing bad in it. Measured: an honest agent that only works or only pays reaches Good,
   *  a flawless one stays below Excellent. */
  weightMovedMax: 0.46,
  // What is remembered.

  /** A year until evidence counts half: an agent of last year is another version of itself. */
  halfLifeDays: 365,
  /** Most mass that counts, of a dimension and of one platform. New evidence displaces old beyond it, so
   *  that an agent stays able to change; no platform alone fills a dimension. Measured. */
  dimensionMassMax: 160,
  platformMassMax: 80,
  /** Platforms told apart in a dimension; those that come later count together as one. Bounds the state. */
  platformsMax: 24,
  // A run of late.

  /** Mass of the latest events that is compared with what the whole record promises; a new one displaces
   *  a share of those before it from the first on, so that their order tells. Measured: 12 and more show
   *  a change later (Bitcoin OTC, betrayal), and let slander fill the run for longer. */
  recentEvidence: 8,
  /** Odds of the latest run up to this many times worse than promised are taken as chance. Measured: less
   *  makes slander cheap, more makes betrayal cheap and costs predictive power (Bitcoin OTC). */
  recentTolerance: 1.35,
  /** Where several platforms report, one puts at most this share of bad news into the latest run a day.
   *  Measured: without it one platform's slander takes a good agent to Poor. */
  recentShareMax: 0.3,
  // Time served.

  /** Of an agent without standing, a platform or a dimension is heard up to this share of the most it
   *  may say, the more the slower; the limit goes with the square of the days of standing missing, and
   *  is gone after so many. Measured: the quickest at which one platform, whatever it says, makes an
   *  agent Good in no less than two weeks; an honest one takes about as long. The share is of good and bad alike: counting only good reports less showed
   *  a newcomer with 77 of 100 done well at 122, with this at 228. */
  coldStartShare: 0.08,
  coldStartDays: 34,
  /** Days of standing that one day with good reports earns: waiting alone earns none. */
  tenurePerActiveDay: 3,
  // What one platform alone says against all others.

  /** Mass that needs no support, and the share of the others' equal testimony that supports more; what
   *  is beyond counts only as far as nobody says the contrary. Measured: it decides slander, praise by
   *  a rogue platform, and whether one platform alone can wash a record clean. */
  uncorroboratedMax: 12,
  corroborationShare: 0.5,
  // Self-reports.

  /** The interface's own (Self-reported versus platform-reported). */
  selfWeight: SELF_WEIGHT,

  /** Good self-reports count up to this mass and this share of what platforms confirm: without it they
   *  alone would reach Good. One platform's report is as much as an agent can say for itself. */
  selfGoodMax: 1,
  selfGoodShare: 0.1,
  // Events.

  /** A task after a timeout succeeds less often than after a failure (Terminal-Bench: 0.099, 0.126). */
  taskMass: { completed: 1, failed: 1, timeout: 1.1 },
  /** Mildly positive: nothing at 95 % or below, all at 99.9 %; in between every halving of the downtime
   *  counts the same, as availability is told in nines. Measured (Upptime): a site that was down for
   *  minutes is down for longer sooner than one that never was. */
  uptimeMass: 0.5,
  uptimeNonePercent: 95,
  uptimeFullPercent: 99.9,
  /** An error counts as a failed task does. The interface asks how often they come, and measured (Upptime) a
   *  high one foretells no more of them than a medium one: so these weigh the same. Judgement: a low one
   *  is a nuisance, a critical one two failed tasks. */
  errorMass: { low: 0.5, medium: 1, high: 1, critical: 2 },
  errorMassUnknown: 1,
  /** A payment's size grows with the logarithm of the amount (UCI credit: +0.027 AUC over counting). It
   *  is 1 at 100 dollars. */
  amountScaleUsd: 10,
  amountUnitUsd: 100,
  amountSizeMin: 0.1,
  amountSizeMax: 3,
  /** Without an amount: little credit, a full charge. */
  sizeUnknownGood: 0.25,
  sizeUnknownBad: 1,
  /** A payment gone wrong is not smaller than this, unless the agent's usual one is; good ones that are
   *  count together at most this mass a day, so that cents buy no trust for thousands in a hurry. */
  smallSize: 0.5,
  smallWeightPerDay: 0.5,
  /** Judgement: a failed payment may be technical, a disputed one seldom is. */
  paymentFailed: 2,
  paymentDisputed: 3,
  /** Late: default follows more often the longer (UCI, IBM): 0.5 + 0.6 · log2(1 + days / 7), at most 3. */
  lateStart: 0.5,
  latePerDoubling: 0.6,
  lateDays: 7,
  lateMax: 3,
  lateUnknown: 1,
  /** A payment gone wrong far above the agent's usual amount weighs more: from 8 times the usual on,
   *  by a half for every doubling, at most 5 times. Measured: small trades must not pay for a large
   *  fraud; this costs 0.0004 AUC (UCI), the least that takes such an agent clearly below Fair. */
  unusualDoublingsFree: 3,
  unusualPerDoubling: 0.5,
  unusualMax: 5,
  /** The usual amount is a mean over about the last fifty good payments. */
  usualMemory: 0.98,
  // The forecast, which counts reports instead of weighing them.

  /** Jeffreys' prior: the least that a rate can be presumed. Measured against Laplace's: better
   *  calibrated where agents are mostly good, as they are. */
  forecastPrior: 0.5,
  /** The short memory is of about the last twenty-five reports. Measured: agents that change are
   *  foretold better, those that do not as well as by the whole record. */
  forecastMemory: 0.96,
  /** However well one memory has foretold what came, it counts at most so many times the other: a
   *  change must show within a few reports. Judgement; 20 and a billion measure alike. */
  likelihoodRatioMax: 1000,
  // Identity.

  /** What it is worth that a known owner registered the agent. Makes a new agent's score 100. */
  identityStart: 0.176,
  /** Shares of the rest: credentials, a credential by a platform, time. */
  credentialsShare: 0.45,
  verifiedShare: 0.2,
  tenureShare: 0.35,
  /** Time served is worth half after this. */
  tenureHalfDays: 45,
  /** Credentials of the owner's own, each a tenth, that count, and own revocations: half a credential. */
  ownCredentialsMax: 5,
  /** Each revocation by a platform halves the identity, at most twice: none alone must erase it. */
  revokedMax: 2,
  /** A new agent of an owner who gave up a worse one is held to that one's score at first, and by this
   *  many days of standing to nothing. */
  ceilingDays: 365,
} as const

/** The figures of a model: MODEL in force, or a variant to compare with it. */
export interface Model extends Figures<typeof MODEL> {}

type Figures<T> = {
  readonly [K in keyof T]: T[K] extends number
    ? number
    : T[K] extends string
      ? string
      : Figures<T[K]>
}

/** The version in force, as scores and snapshots name it. */
export const MODEL_VERSION: string = MODEL.version

/** The interface's own (Scoring dimensions): the top of the scale. */
export const SCORE_MAX: number = MODEL.scoreMax
