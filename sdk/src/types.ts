/** The service's records, each noun in a file of its own. */
export type * from './types/agents.ts'
export type * from './types/credentials.ts'
export type * from './types/events.ts'
export type * from './types/operator.ts'
export type * from './types/owners.ts'
export type * from './types/scores.ts'
export type * from './types/webhooks.ts'
export type * from './types/wire.ts'
