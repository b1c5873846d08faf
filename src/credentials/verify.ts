import {
  type Credential,
  type CredentialVerdict,
  credentialVerdict,
  FORGED,
  type Proof,
} from '../domain/credential.ts'
import { notFound } from '../domain/error.ts'
import { type Mode, modeOf } from '../domain/mode.ts'
import { didOf, isPayloadOf, readCredentialUrl } from '../domain/verifiable-credential.ts'
import type { SigningKeys } from '../signing/keys.ts'
import type { Store } from '../store/store.ts'
import { settle } from './revocation.ts'
import { type OpenedToken, openToken } from './token.ts'

export interface Verification {
  readonly verdict: CredentialVerdict
  /** Null for a token that this service did not issue. */
  readonly credential: Credential | null
}

/** Where credentials are read from, as of now. */
export interface CredentialReader {
  readonly store: Store
  readonly now: () => number
}

export interface Verifying extends CredentialReader {
  readonly keys: SigningKeys
  readonly testKeys: SigningKeys
}

/** The credential as the database has it now. @throws NOT_FOUND */
export async function existingCredential(
  reader: CredentialReader,
  id: string,
): Promise<Credential> {
  const credential = await currentCredential(reader, id)
  if (!credential) {
    throw notFound('credential')
  }
  return credential
}

async function currentCredential(
  { store, now }: CredentialReader,
  id: string,
): Promise<Credential | null> {
  const found = await store.credentials.find({ id })
  if (!found || found.minimumScore === null) {
    return found
  }
  const agentState = await store.agentStates.find({ agentId: found.agentId })
  if (agentState) {
    await settle(store, agentState, now())
  }
  return store.credentials.find({ id })
}

/** Verifies a credential by the token that was issued for it. */
export async function verifyById(verifying: Verifying, id: string): Promise<Verification> {
  const credential = await existingCredential(verifying, id)
  const opened = await open(verifying, modeOf(id), credential.signature.jwt)
  return judged(verifying, credential, opened)
}

/** Verifies a token. What is wrong with one that is not genuine is not disclosed. */
export async function verifyToken(
  verifying: Verifying,
  token: string,
  mode: Mode,
): Promise<Verification> {
  const forged = { verdict: FORGED, credential: null }
  const opened = await open(verifying, mode, token)
  const read = readCredentialUrl(opened?.payload.id)
  const named = read && modeOf(read.id) === mode ? read : null
  const credential = named && (await currentCredential(verifying, named.id))
  if (!credential) {
    return forged
  }
  const verification = await judged(verifying, credential, opened)
  return verification.verdict.status === 'invalid'
    ? { ...verification, credential: null }
    : verification
}

/** A token is of the mode of the key that signed it. */
function open(
  { store, keys, testKeys }: Verifying,
  mode: Mode,
  token: string,
): Promise<OpenedToken | null> {
  return openToken(token, (kid) => (mode === 'test' ? testKeys : keys).find(store, kid))
}

async function judged(
  { store, now }: Verifying,
  credential: Credential,
  opened: OpenedToken | null,
): Promise<Verification> {
  const agentState = await store.agentStates.find({ agentId: credential.agentId })
  const isSuspended = agentState?.status === 'suspended'
  return {
    verdict: credentialVerdict(credential, proofOf(credential, opened), isSuspended, now()),
    credential,
  }
}

/** What the token proves: that this service signed it, under its own name, with this content. */
function proofOf(credential: Credential, opened: OpenedToken | null): Proof {
  // Erased with its agent: it is revoked, and what was signed is not known any more.
  if (credential.signature.jwt === '') {
    return { signature: true, issuer: true, subject: true }
  }
  const named = readCredentialUrl(opened?.payload.id)
  if (!opened || !named) {
    return { signature: opened !== null, issuer: false, subject: false }
  }
  return {
    signature: true,
    issuer: opened.signer === didOf(named.baseUrl) && opened.payload.issuer === opened.signer,
    subject: isPayloadOf(opened.payload, credential, named.baseUrl),
  }
}
