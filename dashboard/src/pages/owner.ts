export { Agents } from './agents/agents.tsx'
export { Usage } from './usage/usage.tsx'
export { WebhookPage } from './webhooks/webhook.tsx'
export { Webhooks } from './webhooks/webhooks.tsx'
