/**
 * Every figure of the scoring model, each with its reason, as one value: a variant is a copy with
 * other figures. "Measured" means chosen by comparing values on real streams and simulated attacks
 * (SPEC.md); "judgement" means nothing better was at hand. A change of a figure changes `version`.
 */
export const MODEL_VERSION = '2.0.0'

export const MODEL = {
  version: MODEL_VERSION,

  /** The interface's own (Scoring dimensions). */
  weights: { reliability: 0.4, financial: 0.35, identity: 0.25 },

  // From reports to a platform's vote.

  /** Odds, good to bad, at which a vote is a half. Measured: 97 % good through three platforms for
   *  half a year stands near 800, the only range in which the bounds on fraud against one platform
   *  of four (below 650) and on slander by one of four (at most 220 points) hold together. */
  halfTrustOdds: 7.1,
  /** Reports of a platform that one of its dimensions is presumed to have had at the rate of both.
   *  Measured: a single dispute about an agent that only works costs less than 80 points (row 6). */
  dimensionPrior: 25,
  /** Good reports that make a full vote up, bad ones that make a full vote down. Judgement: the
   *  vote itself is cautious of few reports, so two give it its weight; four complaints are no
   *  accident. The vote down grows with the square, so that a first complaint is hardly a vote. */
  goodFull: 2,
  badFull: 4,

  // From votes to trust.

  /** The share of the votes' weight that is left out at the lower end, and at the upper end, of the
   *  trimmed mean. Measured: the only trade-off between row 3 and rows 4 and 5. */
  trimLow: 0.2,
  trimHigh: 0.25,
  /** Trust in an agent of which nothing is known, and the weight of that presumption against the
   *  first complaints. The first makes a new agent's score 100. */
  unknownTrust: 0.075,
  unknownWeight: 0.25,
  /** Votes below `against` deny that the agent is good, fully below `deniedFully`: 87 % and 68 % of
   *  the reports good. Where most deny it, the agent's identity counts for less. */
  against: 0.5,
  deniedFully: 0.25,
  /** Denied by the second of these shares, an agent is not Good, whatever the others say; up to the
   *  first nothing is taken. Between one platform of five and one of four (row 3, row 4). */
  deniedFrom: 0.19,
  deniedTo: 0.225,
  deniedCeiling: 638,
  /** Identity counts wholly up to the first share of weight that says the agent is bad (below
   *  `deniedFully`), and not at all from the second. */
  identityFrom: 0.3,
  identityTo: 1,
  /** A minority of this weight makes an agent disputed. Judgement: one of eight. */
  disputedShare: 0.125,
  /** 90 % of a normal distribution lies within this many standard deviations. */
  intervalDeviations: 1.645,

  // Reporters.

  /** Reporters that are not established share one vote of this weight; an agent's own side has
   *  another. Measured: a crowd of a hundred leaves a newcomer below Poor (row 23), and is trimmed
   *  away where three established platforms speak (row 5). */
  crowdWeight: 0.1,
  /** The interface's own: a self-report weighs a tenth. */
  selfShare: 0.1,
  /** From this weight on a reporter has a vote of its own. */
  ownVoteMin: 0.5,
  /** Votes told apart, and how many of them may be provisional; further reporters join the crowd.
   *  Bounds the state, and keeps places for established platforms. */
  platformsMax: 24,
  provisionalMax: 8,

  // Time.

  /** A year until evidence counts half: an agent of last year is another version of itself. */
  halfLifeDays: 365,
  /** Most reports that a platform's rate in a dimension remembers. Measured: 80 costs rank
   *  correlation for steady agents, 1,000 measures the same. */
  massMax: 400,
  /** Of an unknown agent's trust this share counts on the first day, and all of it after so many days
   *  of standing; in between with the square of the days. Measured: one platform, whatever it says,
   *  makes no agent Good in less than two weeks, and one of 20 days is not ruined by one of four. */
  youngShare: 0.2,
  maturityDays: 21,
  /** Days of standing that one day with good reports earns: waiting alone earns none. */
  daysPerActiveDay: 3,
  /** Days with good reports until a platform's last complaint counts half, down to the floor.
   *  Measured: Good again within 10 days after slander by two of five stops (row 4), while three
   *  victims that fell silent outweigh one accomplice (row 25). */
  grievanceHalfDays: 5,
  grievanceMin: 0.35,

  // A sudden change (a CUSUM for each platform).

  /** A tenth of the odds is a betrayal; a third is weather. Judgement. */
  betrayalOdds: 10,
  /** Below these odds there was nothing to betray. Without it, platforms that never praised an agent
   *  take part in the shared alarm (row 4). */
  betrayedOddsMin: 3,
  /** Alarm beyond `alarmFrom` multiplies the bad odds by its exponential; it ends at `alarmMax`, so
   *  that 25 good reports end it, and a good report takes back at least `alarmStep`. Measured. */
  alarmFrom: 7,
  alarmMax: 11,
  alarmStep: 0.3,
  /** Where more than half of the votes show some alarm, it begins up to this much earlier: twenty bad
   *  events are seen even when eleven platforms saw two each (row 22). */
  sharedAlarm: 18,
  sharedAlarmFull: 2,
  /** Calm votes presumed beside those that are there: few platforms often have a bad report each by
   *  chance, and show a change by their own alarms (rows 5 to 7; with 1 instead, -126). */
  sharedCalm: 2,

  // Identity.

  /** What it is worth that a known owner registered the agent. Makes a new agent's score 100. */
  identityStart: 0.175,
  /** Share of credentials in the rest; time served has the other part, half of it after so many days. */
  credentialShare: 0.75,
  tenureHalfDays: 45,
  /** Credentials and revocations of the owner's own that count, and revocations by platforms. */
  ownCredentialsMax: 5,
  revokedMax: 2,

  // Limits.

  /** Excellent takes two established platforms, both kinds of work, and so many days of standing. */
  excellentPlatforms: 2,
  excellentDays: 60,
  /** Where what would be Excellent is pressed: ties would cost a quarter of the AUC above chance (Upptime). */
  pressedFrom: 750,
  pressedTo: 799,
  /** A new agent of an owner with a worse one is no higher than that at first; by this many days of
   *  standing the ceiling is gone. */
  ceilingDays: 365,

  // Work that differs.

  /** The most by which the odds of one kind of work are read as others'. Measured on SWE-bench. */
  hardnessMax: 3.5,
  /** A class of work is shrunk to the whole by so many reports, and is at most so many times off. */
  classPrior: 10,
  classFactorMax: 4,
  classesMax: 16,

  // Exposure.

  /** Doublings by which one good payment larger than what was carried raises it. Judgement: about
   *  four such payments double it, so a million takes more than fifty of ever more. */
  carriedStep: 0.25,
  /** Nothing is to be risked at Poor's lower end, what was carried at Good's, twice that at 1000. */
  exposureFrom: 300,
  exposureWhole: 650,
} as const

type Widened<T> = T extends number
  ? number
  : T extends object
    ? { readonly [K in keyof T]: Widened<T[K]> }
    : T
export type Model = Widened<typeof MODEL>
