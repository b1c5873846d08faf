/** Who has each kind of credential; the scheme that is missing here is for any API key. */
export const CALLERS: Readonly<Record<string, string>> = {
  ownerToken: 'owner',
  ownerKey: 'owner',
  agentKey: 'agent',
  platformKey: 'platform',
  operatorKey: 'operator',
}
