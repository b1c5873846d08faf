import type { Schema } from '../schema.ts'

/** A record of a credential; `jwt` is the same as a W3C Verifiable Credential (`vc+jwt`). */
export interface Credential extends Schema<'Credential'> {}
export type CredentialStatus = Credential['status']
export interface CredentialInput extends Schema<'IssueCredential'> {}
/** `atLeast`: the tier that the service is to state. It expires in 30 days by default, 90 at most. */
export interface ScoreCredentialInput extends Schema<'IssueScoreCredential'> {}
export type CredentialQuery = Schema<'listCredentialsQuery'>
export interface Verification extends Schema<'Verification'> {}
