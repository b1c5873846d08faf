export const testData = {
  title: 'Test mode',
  lead: 'Agents, platforms, scores and webhooks that work like real ones, but never change a live score and are not visible to live callers.',
  enter: 'Switch to test mode',
  leave: 'Back to live data',
  mark: 'Test data',
  banner: 'Test mode: all of this is test data. No live score moves.',
  operatorBanner: 'Test mode: the platforms and the quarantined events listed are test data.',
  agents: 'Test agents',
  agentsLead:
    'An agent that is registered in test mode gets a key that begins with avs_test_. Up to ten at a time.',
  platform: 'Test platform',
  platformLead: 'Its key reports on test agents, as an independent, verified platform would.',
  ownLead:
    'Reports on test agents as your key does on live ones. A new one takes the place of the one before.',
  platformName: 'Test platform',
  makeKey: 'Make a test key',
  key: 'Key of the test platform',
  report: 'Report about a test agent',
  delete: 'Delete test data',
  deleteLead:
    'Every test agent, test platform, webhook and policy of test mode is deleted permanently, and their keys stop working. Live data is not touched.',
  deleteAll: 'Delete all test data',
  deleted: (agents: string, platforms: string, webhooks: string) =>
    `Deleted: agents ${agents}, platforms ${platforms}, webhooks ${webhooks}.`,
}
