import type { Kind } from './session/session.ts'

/**
 * Where the dashboard is. The page's `<base>` names the path that the service is reached under, so
 * one build works at `/` and at `/trust/`.
 */
export const BASE = new URL('.', document.baseURI).pathname.replace(/\/$/, '')

/** Pages that the dashboard itself draws; the service answers each of them with index.html. */
const OWN_PATHS = ['my', 'operator', 'platform', 'account'] as const

/** Links that the router takes; all others are the service's own pages. */
export const OWN_LINKS = new RegExp(`^${BASE}/?((${OWN_PATHS.join('|')})(/|\\?|$)|\\?|$)`)

/** The path of a page as the router matches it. */
export function pathOf(pattern: string): string {
  return `${BASE}${pattern}`
}

export type AgentTab =
  | 'events'
  | 'quarantined'
  | 'credentials'
  | 'identifiers'
  | 'webhooks'
  | 'settings'

/** Who looks at an agent decides where its page is. */
const SECTIONS: Readonly<Record<Kind, string>> = {
  owner: 'my',
  operator: 'operator',
  platform: 'platform',
}

export const to = {
  home: () => pathOf('/'),
  agents: () => pathOf('/my/agents'),
  agent: (kind: Kind, id: string, tab?: AgentTab) =>
    pathOf(`/${SECTIONS[kind]}/agents/${id}${tab ? `/${tab}` : ''}`),
  transfers: () => pathOf('/my/transfers'),
  testData: () => pathOf('/my/test'),
  webhooks: () => pathOf('/my/webhooks'),
  webhook: (id: string) => pathOf(`/my/webhooks/${id}`),
  usage: () => pathOf('/my/usage'),
  team: () => pathOf('/my/team'),
  apiKeys: () => pathOf('/my/keys'),
  account: () => pathOf('/account'),
  reviews: () => pathOf('/operator/reviews'),
  lookUp: () => pathOf('/operator/agents'),
  platforms: () => pathOf('/operator/platforms'),
  owners: () => pathOf('/operator/owners'),
  rules: () => pathOf('/operator/rules'),
  findings: (rule: string) => pathOf(`/operator/rules/${rule}`),
  keys: () => pathOf('/operator/keys'),
  operators: () => pathOf('/operator/operators'),
  imports: () => pathOf('/operator/imports'),
  figures: () => pathOf('/operator/figures'),
  audit: () => pathOf('/operator/audit'),
  health: () => pathOf('/operator/health'),
  decide: () => pathOf('/platform/decide'),
  policies: () => pathOf('/platform/policies'),
  reported: () => pathOf('/platform/agents'),
  /** Pages of the service. */
  reference: () => pathOf('/docs'),
  attacks: () => pathOf('/docs/attacks#prices'),
  publicProfile: (id: string) => pathOf(`/agents/${id}`),
  badge: (id: string) => pathOf(`/v1/agents/${id}/badge.svg`),
  verification: (id: string) => pathOf(`/verify/${id}`),
}
