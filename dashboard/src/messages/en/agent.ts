import { plural } from '../plural.ts'

export const agent = {
  tabs: {
    overview: 'Overview',
    events: 'Events',
    quarantined: 'Quarantined events',
    credentials: 'Credentials',
    identifiers: 'Identifiers',
    webhooks: 'Webhooks',
    settings: 'Settings',
  },
  tabsLabel: 'Parts of the agent',
  copyId: 'Copy the ID',
  scoreTitle: 'Score',
  evidence: (platform: string, n: number, self: string) =>
    `${platform} ${plural(n, 'event', 'events')} by platforms, ${self} by itself or its owner`,
  quarantinedCount: (count: string, n: number) =>
    `${count} ${plural(n, 'event is', 'events are')} quarantined or found wrong, and ${plural(n, 'does', 'do')} not count`,
  disputed: (platformsFor: string, platformsAgainst: string) =>
    `Platforms disagree about this agent: ${platformsFor} for it, ${platformsAgainst} against it.`,
  exposure: 'May be at risk in one deal:',
  computed: 'Computed',
  model: (version: string) => `model ${version}`,
  suspended: 'The operator has suspended this agent.',
  deactivated: 'This agent was deactivated. Its score stays readable.',
}

export const raise = {
  title: 'What would raise it',
  toNext: (points: string, n: number, tier: string) =>
    `${points} ${plural(n, 'point', 'points')} to ${tier}`,
  way: (what: string, perDay: string, days: string, n: number) =>
    `${what}, ${perDay} a day for ${days} ${plural(n, 'day', 'days')}`,
  wayNow: (what: string) => `${what}, now`,
  oneCredential: '1 credential issued by a platform',
  oneOf: 'One of these is enough:',
  noWay: 'No single kind of event leads there within half a year.',
  best: 'It is in the best tier.',
}

export const budget = {
  title: 'Error budget',
  left: (points: string, n: number, tier: string) =>
    `${points} ${plural(n, 'point', 'points')} before it is no longer ${tier}`,
  failuresLeft: 'Failures it can afford, each kind by itself:',
  many: 'many',
  none: 'There is no tier below this one.',
}

export const history = {
  title: 'History',
  ranges: { month: '30 days', quarter: '90 days', year: '1 year', all: 'All' },
  rangeLabel: 'Span',
  interval: 'Interval',
  empty: 'Nothing has changed the score in this span.',
  sampled: (count: string) =>
    `The chart shows ${count} points of this span. Drag over a part of it to see every change there.`,
  zoomHint: 'Drag over a part to see it larger.',
  score: 'Score',
  time: 'Time',
  cause: 'Cause',
  causes: { event: 'Event', model: 'New model' },
  marks: {
    bad: 'went wrong',
    review: 'review',
    model: 'new model',
    identity: 'credential or owner',
  },
  chart: (from: string, to: string, low: string, high: string) =>
    `Score from ${from} to ${to}, between ${low} and ${high}. The table below has every point.`,
}

export const strip = {
  title: 'Last 90 days',
  whole: (good: string, bad: string, days: string) =>
    `${good} good and ${bad} bad events in the last ${days} days`,
  day: (day: string, good: string, bad: string) => `${day}: ${good} good, ${bad} bad`,
  dayUnread: (day: string) => `${day}: not read`,
  partial: (count: string, since: string) =>
    `From the last ${count} events, since ${since}. Earlier days were not read.`,
  good: 'Good',
  bad: 'Bad',
  dayColumn: 'Day',
}

export const why = {
  title: 'Why',
  by: 'Contributions by',
  kinds: { dimensions: 'Dimension', types: 'Event type', reporters: 'Reporter' },
  start: 'Start',
  time: 'Change over time',
  correction: 'Correction to the model in force',
  score: 'Score',
  others: 'All other reporters',
  part: 'Part',
  points: 'Points',
  events: 'Events',
  sum: 'Every part is exact: together they are the score.',
  reasonsTitle: 'Reasons',
  effects: { lowers: 'lowers', raises: 'raises', limits: 'limits' },
  reporters: {
    agent: 'The agent itself',
    owner: 'Its owner',
    platform: 'Platform',
    system: 'The service',
  },
  movesTitle: 'Events that moved it most',
  reasons: {
    no_events: 'Nothing has been reported about this agent yet.',
    recent_failures: 'Bad events of the last 30 days cost points.',
    task_failures: 'Failed work has cost points.',
    payment_failures: 'Failed, late or disputed payments cost points.',
    credential_revoked: 'A credential of the agent was revoked.',
    quarantined_events: 'Some events are quarantined, or were found wrong, and do not count.',
    former_agent:
      'An agent of its owner or former owner limits it; this limit rises with its tenure, for a year.',
    new_owner: 'It passed to another owner; its tenure began again, and its credentials ended.',
    has_parent: 'It acts for another agent, and scores no higher than that one.',
    child_failures: 'Bad events of agents that act for it have cost points.',
    succeeded: 'It replaced another agent: all reports and half of the tenure were carried over.',
    disputed: 'Platforms disagree about this agent: some report mostly good, some mostly bad.',
    few_events: 'Fewer than 50 events count: not enough for a confident score.',
    self_reported_only: 'Only the agent itself or its owner has reported; that weighs a tenth.',
    single_reporter:
      'A single platform has reported, or several of one owner; others would have to confirm it.',
    young: 'It has fewer than 21 days of tenure: good reports do not count in full yet.',
    inactive: 'Nothing has been reported for 30 days or more.',
    no_tasks: 'Nothing is known of its work.',
    no_payments: 'Nothing is known of its payments.',
    unverified_identity: 'It has no credential of a platform.',
    good_work: 'Completed work has brought points.',
    good_payments: 'Payments made on time have brought points.',
    verified_identity: 'A platform has issued a credential to it.',
    several_reporters: 'Several independent platforms have reported about it.',
    long_record: 'At least 500 events count: a strong signal.',
  },
}

export const breakdown = {
  title: 'Dimensions',
  weight: (share: string) => `weighs ${share}`,
  effective: (now: string, rule: string) => `weighs ${now} now, ${rule} by rule`,
  events: (count: string, n: number) => `${count} ${plural(n, 'event', 'events')}`,
  nextTask: 'The next task succeeds',
  nextPayment: 'The next payment is made on time',
  probability: (share: string, low: string, high: string) => `${share} (${low} to ${high})`,
  unknown: 'not known',
}

export const whatIf = {
  title: 'What if',
  lead: 'What the score would be after more events now, each kind by itself.',
  kind: 'Kind of event',
  count: (kind: string) => `How many more: ${kind}`,
  costs: 'Each stop costs one lookup, once.',
}

export const events = {
  type: 'Type',
  allTypes: 'All types',
  data: 'Details',
  reporter: 'Reporter',
  when: 'When',
  weight: 'Weight',
  good: 'good',
  bad: 'bad',
  quarantined: 'quarantined',
  attested: 'signed by the platform',
  none: 'No event yet',
  noneText: 'Events appear here as they are reported.',
  noneOfType: 'No event of this type.',
  occurred: 'Occurred',
  received: 'Received',
  externalId: 'External ID',
  daysLate: (count: string, n: number) => `${count} ${plural(n, 'day', 'days')} late`,
  follow: 'Follow live',
}

export const quarantined = {
  lead: 'Events that a rule found unlikely wait here for the operator. They do not count until released.',
  none: 'No event is quarantined.',
  noneFound: (count: string) => `None among the last ${count} events.`,
  searchOn: 'Search further back',
  searched: (count: string) => `Searched the last ${count} events.`,
  because: 'Quarantined because',
  effect: (now: string, then: string) =>
    now === then
      ? `If all of them counted, the score would stay ${now}.`
      : `If all of them counted, the score would be ${then} instead of ${now}.`,
  status: {
    pending: 'Waits for review',
    appealed: 'Appealed, waits for review',
    released: 'Released: it counts',
    upheld: 'Upheld: it does not count',
  },
  decided: (when: string) => `Decided ${when}`,
  yourAppeal: 'Your appeal',
  appeal: 'Appeal',
  appealLabel: 'Why this event is right',
  appealHint: 'The operator reads it and decides once more. One appeal is possible.',
  appealed: 'Appeal sent. The operator decides.',
  appealUntil: (when: string) => `An appeal is possible until ${when}.`,
}

export const credentials = {
  qr: 'Show a QR code',
  qrTitle: (type: string) => `${type} as a QR code`,
  qrText: 'Anyone who scans it sees whether the credential is valid at that moment.',
  qrOf: (link: string) => `QR code of ${link}`,
  copyLink: 'Copy the link',
  issue: 'Issue a credential',
  certify: 'Certify the score',
  none: 'No credential yet',
  noneText: 'A credential is a signed statement about the agent that anyone can verify offline.',
  type: 'Type',
  typeHint: 'For example SecurityAudit.',
  claims: 'Claims',
  claimsHint: 'A JSON object with the statement.',
  claimsWrong: 'This is not a JSON object.',
  expires: 'Expires',
  expiresHint: 'Without a date it does not expire.',
  issued: 'Issued',
  by: 'Asserted by',
  asserted: { owner: 'Owner', service: 'The service' },
  verify: 'Verify',
  valid: 'Valid',
  notValid: 'Not valid',
  copyJwt: 'Copy as JWT',
  page: 'Public page',
  revoke: 'Revoke',
  revoked: (type: string) => `${type} is revoked.`,
  revokeFailed: 'It could not be revoked:',
  issuedToast: 'Credential issued.',
  atLeast: 'The score is at least',
  vouchLead: 'The service itself signs that the score is in this tier or better.',
}

export const settings = {
  profile: 'Name and metadata',
  metadata: 'Metadata',
  metadataHint: 'A JSON object of your own, replaced as a whole.',
  notJson: 'This is not a JSON object.',
  publicTitle: 'Public profile',
  publicLead:
    'Shows anyone its name, score, history, credentials and your name. The score itself can always be read by its ID.',
  isPublic: 'Anyone may see the profile',
  openProfile: 'Open the public profile',
  badge: 'Badge for a README (Markdown)',
  badgeOf: (name: string) => `The badge of ${name}`,
  rotateTitle: 'API key',
  rotateLead:
    'A new key replaces the one in use. The old one keeps working for as long as you choose.',
  overlap: 'The old key works for',
  overlaps: { now: 'no longer', hour: '1 hour', day: '1 day', week: '7 days' },
  rotate: 'Create a new key',
  newKey: 'New API key',
  oldUntil: (when: string) => `The old key works until ${when}.`,
  worksUntil: 'Works until',
  curlTitle: 'Report an event',
  deactivateTitle: 'Deactivate',
  deactivateLead:
    'Permanent: its key stops working, its credentials are revoked, and events are no longer accepted. The score stays readable.',
  deactivate: 'Deactivate the agent',
  deactivateAsk: (name: string) => `Type ${name} to deactivate it permanently.`,
  deactivated: 'The agent is deactivated.',
}

export const suspension = {
  suspend: 'Suspend',
  resume: 'Reactivate',
  suspendLead: 'No event about it is accepted until it is reactivated. Its score stays readable.',
  resumeLead: 'Events are accepted again.',
  suspended: 'The agent is suspended.',
  resumed: 'The agent is active again.',
}
