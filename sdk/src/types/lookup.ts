import type { Schema } from '../schema.ts'

/** What is known of a name: only a verified one leads to an agent. */
export interface Lookup extends Schema<'Lookup'> {}
export type LookupMatch = Lookup['match']
