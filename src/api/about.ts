import type { About } from '../http/openapi.ts'
import { NOTIFICATIONS } from './webhooks/notification-schema.ts'

/** What the service says of itself, in the OpenAPI document and on its pages. */
export const ABOUT: About = {
  title: 'Standing',
  version: '0.1.0',
  description:
    'The open trust score for software agents: 0 to 1000, every point explained. Owners register agents, platforms report what they did, anyone reads the score.',
  tags: {
    Auth: 'Owners register, log in, and get the token that the rest is done with.',
    Agents: 'Whom the scores are about.',
    Scores: 'Can this agent be trusted, and why: open to everyone.',
    Events: 'What agents did, reported by platforms at full weight and by themselves at a tenth.',
    Credentials: 'Signed statements about an agent that anyone can verify.',
    Webhooks: 'What happens, told to your own service as it happens.',
    Health: 'For whatever watches the service: open, and never counted.',
    Operator: 'For whoever runs the service: platforms, tiers, suspension, review, audit.',
  },
  notifications: NOTIFICATIONS,
}
