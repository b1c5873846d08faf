import type { Schema } from '../schema.ts'

/** A name under which an agent is known elsewhere. A claim gives nothing until it is verified. */
export interface Identifier extends Schema<'Identifier'> {}
export type IdentifierType = Identifier['type']
export type IdentifierStatus = Identifier['status']
export interface IdentifierClaim extends Schema<'ClaimIdentifier'> {}
/** `signature` of the challenge; leave it out where the challenge is published. */
export interface IdentifierProof extends Schema<'VerifyIdentifier'> {}
