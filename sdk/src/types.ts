/** The service's records, named as this client names them. */
export type * from './types/accounts.ts'
export type * from './types/credentials.ts'
export type * from './types/events.ts'
export type * from './types/identifiers.ts'
export type * from './types/lookup.ts'
export type * from './types/operator.ts'
export type * from './types/scores.ts'
export type * from './types/webhooks.ts'
