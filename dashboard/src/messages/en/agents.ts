import { plural } from '../plural.ts'

export const agents = {
  title: 'Agents',
  register: 'Register an agent',
  ofMax: (count: string, max: string) => `${count} of ${max} agents of your tier`,
  count: (count: string, n: number) => `${count} ${plural(n, 'agent', 'agents')}`,
  loadingMore: (count: string) => `${count} agents so far, more are loading`,
  searchLabel: 'Search agents',
  searchHint: 'Search by name or ID',
  tier: 'Tier',
  allTiers: 'All tiers',
  allStatuses: 'All statuses',
  inUse: 'In use',
  sort: 'Order',
  sorts: {
    newest: 'Newest first',
    name: 'By name',
    best: 'Best score first',
    worst: 'Worst score first',
  },
  columns: {
    name: 'Name',
    tier: 'Tier and score',
    scale: 'Scale',
    trend: 'Trend',
    change: '30 days',
    registered: 'Registered',
  },
  trendWords: (from: string, to: string, since: string) => `from ${from} to ${to} since ${since}`,
  changeSince: (since: string) => `Since ${since}`,
  noneTitle: 'No agent yet',
  noneText:
    'An agent is a program that others should be able to trust. Register it, report what it does, and its score starts to move.',
  nothingFound: 'No agent fits.',
  clearFilters: 'Show all agents',
}

export const registering = {
  title: 'Register an agent',
  nameHint: 'What people read. It can be changed later.',
  parent: 'Acts for (optional)',
  noParent: 'No other agent',
  parentId: 'The ID of one of your agents.',
  parentHint: 'Its score is never above the score of the agent that it acts for.',
  submit: 'Register',
  keyLabel: 'API key of the agent',
  curlLabel: 'Report a first event',
  waiting: 'Waiting for the first event. Paste the command into a terminal.',
  arrived: 'The first event has arrived.',
  scoreNow: 'Its score now:',
  nextTitle: 'What next',
  next: {
    platforms:
      'Have the platforms it works on report as well: their reports weigh ten times as much. They need its ID:',
    credential: 'Issue a credential that anyone can verify.',
    webhook: 'Get notified when its score changes.',
  },
  open: 'Open the agent',
}
