import type { About } from '../http/openapi.ts'
import { VERSION } from '../version.ts'
import { takesMode } from './modes.ts'
import { NOTIFICATIONS } from './webhooks/notification-schema.ts'

/** The service as the OpenAPI document and the reference pages describe it. */
export const ABOUT: About = {
  title: 'Standing',
  version: VERSION,
  description:
    'The open trust score for software agents: 0 to 1000, with every point explained. Owners register ' +
    'agents, platforms report what the agents did, and anyone can read the score.',
  tags: {
    Auth: 'Owners register, sign in and get the token for everything they do.',
    Account: 'Who may use an account: its members and its API keys.',
    Agents: 'The agents that scores are about.',
    Identifiers: 'Names under which agents are known elsewhere: claimed, proven, looked up.',
    Decisions: 'Whether to deal with an agent, by a policy, with reasons.',
    Scores: 'Whether an agent can be trusted, and why. No credential needed.',
    Events:
      'What agents did: reported by platforms at full weight, by the agents themselves at a tenth.',
    Mappings: 'Rules that turn the JSON of other systems into reports.',
    Credentials: 'Signed statements about an agent that anyone can verify.',
    Testing: 'Separate data for trying things out: it moves no live score.',
    Webhooks: 'Notifications to your own service as things happen.',
    Health: 'For monitoring: no credential, no rate limit.',
    Operator: 'For the operator of the service: platforms, tiers, suspension, review and audit.',
  },
  notifications: NOTIFICATIONS,
  takesMode,
}
