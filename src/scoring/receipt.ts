import { SignJWT } from 'jose'
import { encodeEvidence } from '../domain/evidence-codec.ts'
import { chainLength, type Evidence } from '../domain/evidence-state.ts'
import { MODEL } from '../domain/model.ts'
import { modelFingerprint } from '../domain/model-fingerprint.ts'
import { type Score, scoreAt } from '../domain/score.ts'
import { didOf } from '../domain/verifiable-credential.ts'
import type { Registration } from '../ingest/chain.ts'
import { sha256 } from '../ingest/digest.ts'
import { base64url } from '../lib/base64url.ts'
import { ALGORITHM, absoluteKid, type OpenKey } from '../signing/keys.ts'
import type { AgentState } from '../store/store.ts'

export const RECEIPT_TYPE = 'standing-receipt+jwt'

/** The content of a receipt: a score, and all that is needed to verify it against the events. */
export interface ReceiptPayload {
  /** The service's address, the agent's id, and when it was signed, in seconds. */
  readonly iss: string
  readonly sub: string
  readonly iat: number
  /** The time of the score, in milliseconds since 1970. */
  readonly at: number
  readonly score: Score
  /** How many of the events behind the score were imported as a past. */
  readonly imported: number
  /** How many events count, and the last link of their chain, in base64url. */
  readonly events: number
  readonly chain: string
  /** SHA-256 of the evidence as bytes, in base64url: equal only if every sum is, to the last bit. */
  readonly evidence: string
  readonly model: { readonly version: string; readonly hash: string }
  readonly registration: Registration
}

export function receiptOf(
  agentState: AgentState,
  { at, issuer }: { readonly at: number; readonly issuer: string },
): ReceiptPayload {
  const { agentId, evidence, chain } = agentState
  const { registeredAt, initialCeiling } = evidence
  return {
    iss: issuer,
    sub: agentId,
    iat: Math.floor(at / 1000),
    at,
    ...provenBy(evidence, at),
    chain: base64url(chain),
    registration: { agentId, registeredAt, initialCeiling },
  }
}

/** Names the model by its figures, in base64url. */
export function modelHash(): string {
  return base64url(sha256(modelFingerprint(MODEL)))
}

/**
 * Signed in the name of its issuer, so that the key is found among those that the issuer publishes.
 */
export function signReceipt(payload: ReceiptPayload, key: OpenKey): Promise<string> {
  const kid = absoluteKid(didOf(payload.iss), key.kid)
  return new SignJWT({ ...payload })
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: RECEIPT_TYPE })
    .sign(key.privateKey)
}

/** The part of a receipt that follows from the evidence alone: the verifier computes it again. */
export function provenBy(evidence: Evidence, at: number) {
  const score = scoreAt(MODEL, evidence, at)
  return {
    score,
    events: chainLength(evidence),
    imported: evidence.importedCount,
    evidence: base64url(sha256(encodeEvidence(evidence))),
    model: { version: score.modelVersion, hash: modelHash() },
  }
}
