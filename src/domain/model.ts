/**
 * Every figure of the scoring model, each with its reason. "Measured" means chosen by comparing
 * values on real streams and simulated attacks (docs/scoring.md); "judgement" means nothing better
 * was available. A change of any figure changes `version` with it.
 */
export const MODEL = {
  version: '2.0.0',
  /** The interface's own (Scoring dimensions). */
  scoreMax: 1000,
  weights: { reliability: 0.4, financial: 0.35, identity: 0.25 },

  // What one event says: an observation from −1 to 1.

  /** A task after a timeout succeeds less often than after a failure (Terminal-Bench: .099, .126). */
  taskObservation: { completed: 1, failed: -0.9, timeout: -1 },
  /** The more severe, the more. Measured (Upptime): a high error predicts no more errors than a
   *  medium one, so these are close together. */
  errorObservation: { low: -0.5, medium: -0.75, high: -0.8, critical: -1 },
  /** A failed payment may be technical, a disputed one seldom is. Judgement. */
  paymentObservation: { completed: 1, failed: -0.9, disputed: -1 },
  /** Default follows more often the later a payment is (UCI credit): a tenth more for every doubling
   *  of the delay. A late payment was made after all, so it counts less than a failed one. At once only a share
   *  of it counts, and all of it after a day: minutes are hardly late. Judgement. */
  lateStart: 0.6,
  lateAtOnceShare: 0.25,
  latePerDoubling: 0.1,
  lateDays: 7,
  lateMax: 0.85,
  lateUnknown: 0.65,
  /** Nothing at 95 % uptime, half an observation at 99.9 %; every halving of the downtime counts the
   *  same, as availability is counted in nines. Below 95 % it is negative, −1 at 0 %. */
  uptimeGoodMax: 0.5,
  uptimeNonePercent: 95,
  uptimeFullPercent: 99.9,
  /** Without a figure the report says that the agent was up for the most part. */
  uptimeUnknownPercent: 99,
  /** The most by which the odds of one kind of work are corrected, as a logarithm. Measured
   *  (SWE-bench): with 2.2 only 16 of the 39 best agents are Good, with this all of them. */
  hardnessMax: 3.5,
  /** Work is easy only where it fails by more than this less often than usual, as a logarithm of odds. Good agents
   *  differ by as much. Measured: otherwise ordinary work seems easy where they do it, and naming its class
   *  costs an agent of 97 % some 45 points. */
  easyFrom: 1,

  // From reports to a platform's vote.

  /** Odds, good to bad, at which a vote is a half. Measured: 97 % good through three platforms for
   *  half a year scores near 800, the only range in which the bounds on fraud against one platform
   *  of four (below 650) and on slander by one of four (at most 220 points) hold together. */
  halfTrustOdds: 7.1,
  /** Reports that a platform's dimension is presumed to have at the rate of both of its dimensions.
   *  Measured: a single dispute about an agent that only works costs less than 80 points. */
  dimensionPrior: 25,
  /** A vote presumes one bad report, or what the others' rate makes likely if that is less. Of each of them at most
   *  `othersMax` reports count, of these at most `othersBadMax` bad ones, and `othersBad` bad ones are added: so one that
   *  slanders takes little from the votes of all others. Measured: thirty reports at forty platforms are
   *  worth 99 points less than at three, instead of 244, and the prices of attacks stay. */
  othersMax: 10,
  othersBadMax: 2,
  othersBad: 3,
  /** Good reports that give a vote its full positive weight, bad ones that give it its full negative
   *  weight. Judgement: the vote itself is cautious of few reports, so two suffice; four complaints
   *  are no accident. The negative weight grows with the square, so that a first complaint is hardly
   *  a vote. */
  goodFull: 2,
  badFull: 4,

  /** Observations that one counterparty may bring a platform's sums, good ones and bad ones, where the
   *  platform names it. Measured: with one good observation an honest agent of ten customers at each
   *  platform stands at 660, with two at 763; with two bad ones, four accounts take an honest agent
   *  below Fair. */
  partyGoodMax: 2,
  partyBadMax: 1,
  /** Groups of counterparties counted apart at one platform. Bounds the evidence; 128 measure alike, 32
   *  cost an honest agent with many customers 80 points. */
  partiesMax: 64,

  // From votes to trust.

  /** The share of the weight that is left out at the lower end, and at the upper end, of the trimmed
   *  mean. Measured: the trade-off between fraud against one platform and slander by a minority. */
  trimLow: 0.2,
  trimHigh: 0.25,
  /** Trust in an agent of which nothing is known, and the weight of that presumption against the
   *  first complaints. The first makes a new agent's score 100. */
  unknownTrust: 0.075,
  unknownWeight: 0.25,
  /** Votes below `deniedBelow` deny that the agent is good, fully below `deniedFully`: 87 % and 68 %
   *  of the reports good. */
  deniedBelow: 0.5,
  deniedFully: 0.25,
  /** The most that monitors weigh together, platforms without good reports of `goodFull` deals, for the levels that
   *  complaints about deals deny. Measured: with 2, four monitors leave an agent that fails all tasks of its only
   *  marketplace 599 points, as many as two other platforms would, instead of 752; with 1 a platform that slanders an
   *  agent that only monitors know leaves it 371. */
  monitorsMax: 2,
  /** Up to the first share of the weight a denial takes nothing; from the second on the agent is not
   *  Good, whatever the others report. Between one platform of five and one of four. */
  deniedFrom: 0.19,
  deniedTo: 0.225,
  deniedCeiling: 638,
  /** Identity counts as far as the levels up to `deniedBelow` are won, with this share in place of
   *  `trimLow`. Measured: with `trimLow`, slander by two platforms of five costs 23 points more. */
  identityFrom: 0.3,
  /** A minority of this share of the weight makes a score disputed. Judgement: one of eight. */
  disputedShareMin: 0.125,
  /** 90 % of a normal distribution lies within this many standard deviations. */
  intervalDeviations: 1.645,

  // Reporters.

  /** Reporters that are not established share one vote of this weight; the agent's own side has
   *  another. Measured: a hundred of them leave a new agent below Poor, and are trimmed away where
   *  three established platforms report. */
  crowdWeight: 0.1,
  /** The interface's own (Self-reported versus platform-reported). */
  selfWeight: 0.1,
  /** From this weight on a reporter has a vote of its own. */
  ownVoteWeightMin: 0.5,
  /** Votes counted apart, and how many of them may be provisional; further provisional reporters share
   *  votes. Bounds the evidence, and keeps places for established platforms. */
  platformsMax: 24,
  provisionalMax: 8,
  /** Votes that further established platforms share. Bounds the evidence. Measured: with 40, ten slanderers of
   *  sixty platforms and of a hundred leave an honest agent Good; with 24 ten of sixty may take it, with 8 ten of
   *  a hundred. */
  sharedVotesMax: 40,

  // Time.

  /** A year until evidence counts half: an agent of last year is another version of itself. */
  halfLifeDays: 365,
  /** The most reports that a platform's rate in a dimension covers. Measured: 80 costs rank
   *  correlation for steady agents, 1,000 measures the same. */
  massMax: 400,
  /** Of trust in a new agent this share counts on the first day, and all of it after a number of days of
   *  tenure; in between it grows with the square of the days. Measured: one platform, whatever it
   *  reports, makes no agent Good in less than two weeks. */
  youngShare: 0.2,
  maturityDays: 21,
  /** Days of tenure that one day with good reports earns: waiting alone earns none. */
  tenurePerActiveDay: 3,
  /** Days with good reports for which a platform's last complaint counts fully, further ones until it
   *  counts half, and the least it counts. A platform that closes at weekends stays a whole vote. Measured:
   *  an agent is Good again within 10 days after slander by two platforms of five stops, while three victims
   *  that stopped reporting outweigh one accomplice. */
  complaintFreshDays: 3,
  complaintHalfDays: 3,
  complaintFadeMin: 0.35,

  // A sudden change: a CUSUM for each platform.

  /** A change to a tenth of the odds is looked for; a third is ordinary variation. Judgement. */
  changeOddsRatio: 10,
  /** Alarm beyond `alarmFrom` multiplies the bad odds by its exponential. It ends at `alarmMax`, so
   *  that 25 good reports end it; a good report takes back at least `alarmStepMin`. Measured. */
  alarmFrom: 7,
  alarmMax: 11,
  alarmStepMin: 0.3,
  /** What a platform reports after `seriesSilenceSeconds` or more without a report is a series, in any order, for as
   *  long as that silence and for `seriesSecondsMax` at most: a batch of every half hour or of every night, a hundred
   *  reports a minute apart, or what waits for the hourly limit. Measured: without the silence, good reports of busy
   *  platforms shield an exit scam for a hundred bad events. */
  seriesSilenceSeconds: 900,
  seriesSecondsMax: 7_200,
  /** The most by which the good reports of a series offset bad ones that follow, and by which bad ones exceed
   *  `alarmMax` if they come first. On average, the bad ones of a hundred reports amount to at most 31, whatever the
   *  agent's rate. */
  offsetMax: 30,
  /** Where more than this share of the weight is in a run of bad reports the agent has at most
   *  `deniedCeiling`. Measured: an exit scam is seen within twenty bad events although twenty platforms saw
   *  one each, and one bad hour at all of them does not take Fair. */
  sharedRunFrom: 0.375,
  /** Calm votes presumed beside those that are there: few platforms often have a bad report each by
   *  chance, and show a change by their own alarms. With four, all of four platforms have to be in a run,
   *  four of five, six of eleven and ten of twenty. Measured. */
  calmPrior: 4,

  // Identity.

  /** What it is worth that a known owner registered the agent. Makes a new agent's score 100. */
  identityStart: 0.175,
  /** Share of credentials in the rest; tenure has the other part, half of it after a number of days. */
  credentialsShare: 0.75,
  tenureHalfDays: 45,
  /** Credentials and revocations of the owner's own that count, and revocations by platforms. */
  ownCredentialsMax: 5,
  revokedMax: 2,

  // Limits.

  /** Excellent takes more days of tenure than the first, and is as open as the reports allow after the second. In
   *  between it opens in proportion. Judgement: opened on one day, it raised a flawless agent by 114 points at a
   *  midnight; this way no day raises it by more than 8. */
  excellentDaysMin: 60,
  excellentDaysFull: 80,
  /** Good reports by established platforms of work, of payments, and by others than one of them. Excellent opens in
   *  proportion. As many as `dimensionPrior`: with fewer, most of what a dimension counts for is presumed. */
  excellentReports: 25,
  /** Where a score that may not be Excellent is compressed. A cut instead would make ties: it costs a
   *  quarter of the AUC above chance (Upptime). */
  compressedFrom: 750,
  compressedTo: 799,
  /** A new agent of an owner with a worse one starts no higher than that one; after this many days of
   *  tenure the ceiling is gone. */
  ceilingDays: 365,

  // Changes of hands.

  /** The share of its predecessor's tenure that a successor begins with. Judgement: the owner is the same,
   *  the software may not be. */
  successorTenureShare: 0.5,

  // One class of work.

  /** In the score of one class, a report of the class counts for this many more. Measured (SWE-bench, by
   *  repository): 8 gains as much with 300 reports and loses with 50. */
  classWeight: 4,
  /** Reports of a class that its forecast is presumed to have at the forecast of the whole. Measured:
   *  the Brier score is the least, or next to it, with 50 to 400 reports. */
  classForecastPrior: 20,
  /** Classes kept of one reporter; further ones displace the one with the fewest observations.
   *  Bounds the evidence. With 0 none is kept, which changes only the scores of classes. */
  classesMax: 8,

  // Exposure.

  /** Doublings by which one good payment larger than what was carried raises it. Judgement: about four
   *  such payments double it, so a million takes more than fifty payments of growing size. The worst
   *  payment of that size takes back `carriedDrop`, any other in proportion to how bad it is, and a small one
   *  in proportion to its doublings. */
  carriedStep: 0.25,
  carriedDrop: 1,
  /** What is left at least, less than a cent. A platform with nothing has never named an amount, and says nothing about
   *  what the agent may carry. A power of two, which single precision holds exactly. */
  carriedMin: 2 ** -10,
  /** Good payments that give a platform its full weight in what was carried. As many as `dimensionPrior`: with fewer,
   *  orders of cents at platforms that the agent has not worked for lower its limit. */
  exposurePaymentsFull: 25,
  /** Nothing is to be risked at the lower end of Poor, what was carried at the lower end of Good, twice
   *  that at 1000. */
  exposureFrom: 300,
  exposureFull: 650,

  // The forecast, which counts reports instead of weighing them.

  /** Jeffreys' prior: the least that a rate can be presumed. Measured against Laplace's: better
   *  calibrated where agents are mostly good, as they are. */
  forecastPrior: 0.5,
  /** The short memory is of about the last twenty-five reports. Measured: agents that change are
   *  predicted better, those that do not as well as by the whole record. */
  forecastMemory: 0.96,
  /** However well one memory has predicted what came, it counts at most this many times the other: a
   *  change must show within a few reports. Judgement; 20 and a billion measure alike. */
  likelihoodRatioMax: 1000,
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
