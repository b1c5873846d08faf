import { plural } from '../plural.ts'

export const common = {
  product: 'Standing',
  skip: 'Skip to content',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved',
  done: 'Done',
  copy: 'Copy',
  copied: 'Copied',
  undo: 'Undo',
  more: 'Show more',
  retry: 'Try again',
  loading: 'Loading',
  justNow: 'just now',
  soon: 'in a moment',
  none: 'None',
  never: 'Never',
  search: 'Search',
  menu: 'Menu',
  id: 'ID',
  name: 'Name',
  status: 'Status',
  created: 'Created',
  actions: 'Actions',
  reason: 'Reason',
  raw: 'Raw JSON and curl',
  asTable: 'Show as a table',
  asCurl: 'The same by curl',
  json: 'JSON',
  notCopied: 'It has not been copied yet, and it is not shown again.',
  closeUncopied: 'Close without copying',
  shownOnce: 'This is shown once. Copy it now and keep it somewhere safe.',
  undoIn: (seconds: number) => `Undo (${seconds})`,
  rows: (count: string, n: number) => `${count} ${plural(n, 'row', 'rows')}`,
}

export const tiers = {
  names: {
    excellent: 'Excellent',
    good: 'Good',
    fair: 'Fair',
    poor: 'Poor',
    untrusted: 'Untrusted',
    unknown: 'Not enough data yet',
  },
  meanings: {
    excellent: 'Proven track record, fully trusted.',
    good: 'Reliable, with minor gaps.',
    fair: 'Acceptable, with room for improvement.',
    poor: 'Significant concerns, limited trust.',
    untrusted: 'Major concerns, or too little evidence to trust it.',
    unknown: 'Too little has been reported to say more.',
  },
  confidence: {
    low: 'low confidence',
    medium: 'medium confidence',
    high: 'high confidence',
  },
  ofMost: (score: string) => `${score} of 1000`,
  between: (low: string, high: string) => `between ${low} and ${high}`,
  notEnough: (events: string, needed: string) =>
    `not enough data yet: ${events} of ${needed} events`,
  enoughAt: (events: string, needed: string) => `${events} of ${needed} events`,
  disputed: (platformsFor: string, platformsAgainst: string) =>
    `disputed: platforms for it ${platformsFor}, against it ${platformsAgainst}`,
}

export const dimensions = {
  reliability: 'Reliability',
  financial: 'Financial',
  identity: 'Identity',
}

export const statuses = {
  active: 'Active',
  suspended: 'Suspended',
  deactivated: 'Deactivated',
  paused: 'Paused',
  disabled: 'Disabled',
  pending: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  gone: 'Gone',
  throttled: 'Rate limited',
  expired: 'Expired',
  revoked: 'Revoked',
  retired: 'Retired',
  invalid: 'Invalid',
  open: 'Open',
  claimed: 'Claimed',
  verified: 'Verified',
  accepted: 'Accepted',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
}

export const eventTypes = {
  'task.completed': 'Task completed',
  'task.failed': 'Task failed',
  'task.timeout': 'Task timed out',
  'payment.completed': 'Payment completed',
  'payment.failed': 'Payment failed',
  'payment.late': 'Payment late',
  'payment.disputed': 'Payment disputed',
  'uptime.report': 'Uptime reported',
  'error.reported': 'Error reported',
  'credential.issued': 'Credential issued',
  'credential.revoked': 'Credential revoked',
  'agent.transferred': 'Passed to another owner',
  'agent.succeeded': 'Replaced another agent',
  'agent.limited': 'Limited by another agent',
  'reports.discarded': 'Reports discarded',
  'child.work_failed': 'Work of a child failed',
  'child.payment_failed': 'Payment of a child failed',
}

/** More than one of them, for sentences with a number. */
export const eventCounts = {
  'task.completed': (n: string) => `${n} completed tasks`,
  'task.failed': (n: string) => `${n} failed tasks`,
  'task.timeout': (n: string) => `${n} timed-out tasks`,
  'payment.completed': (n: string) => `${n} completed payments`,
  'payment.failed': (n: string) => `${n} failed payments`,
  'payment.late': (n: string) => `${n} late payments`,
  'payment.disputed': (n: string) => `${n} disputed payments`,
  'uptime.report': (n: string) => `${n} uptime reports`,
  'error.reported': (n: string) => `${n} reported errors`,
  'credential.issued': (n: string) => `${n} credentials issued by platforms`,
  'credential.revoked': (n: string) => `${n} revoked credentials`,
  'agent.transferred': (n: string) => `${n} changes of owner`,
  'agent.succeeded': (n: string) => `${n} replacements`,
  'agent.limited': (n: string) => `${n} limits by another agent`,
  'reports.discarded': (n: string) => `${n} discards of reports`,
  'child.work_failed': (n: string) => `${n} failed tasks of children`,
  'child.payment_failed': (n: string) => `${n} failed payments of children`,
}

export const serviceTiers = { free: 'Free', growth: 'Growth', platform: 'Platform' }

export const states = {
  errorTitle: 'This did not work',
  errorWhat: 'The service answered:',
  errorId: (id: string) => `Request ${id}`,
  offlineTitle: 'The service cannot be reached',
  offlineText:
    'Check your connection, or whether the service is running. The page reconnects by itself.',
  noRightTitle: 'You may not see this',
  noRightText: 'Sign in with the right account, or ask the operator of this installation.',
  notFoundTitle: 'There is nothing here',
  notFoundText: 'It may have been removed, or the address is not complete.',
  unreadable:
    'This is not an answer of the service. A proxy, or the sign-in of a network, may be in between.',
  limited: 'More requests than your tier allows in a minute.',
  busy: 'The service is not ready at the moment.',
  goesOn: (seconds: number) => `Going on in ${seconds} s.`,
  offlineBanner: 'No connection to the service. What you see may be old.',
  outdated: (message: string) => `This is not up to date: ${message}`,
  home: 'Go to the start',
}
