import { randomInt } from 'node:crypto'
import { lockOwnAgent } from '../auth/access.ts'
import type { Credential, StatusPlace } from '../domain/credential.ts'
import { checkLimit, forbidden, notFound, ofOtherOwner, TrustError } from '../domain/error.ts'
import type { EventType } from '../domain/event.ts'
import { isTestId, newIdLike } from '../domain/mode.ts'
import { MODEL } from '../domain/model.ts'
import { credentialIssued, credentialRevoked } from '../domain/notification.ts'
import { scoreAt } from '../domain/score.ts'
import { type Classification, tierMin } from '../domain/tiers.ts'
import { scoringTime } from '../domain/time.ts'
import {
  credentialPayload,
  SCORE_CREDENTIAL,
  STATUS_LIST_LENGTH,
} from '../domain/verifiable-credential.ts'
import { type Recorder, recordOwnEvent } from '../ingest/record-reports.ts'
import type { SigningKeys } from '../signing/keys.ts'
import type { AgentState, Store } from '../store/store.ts'
import { issuerOf } from './token.ts'

/** What issuing takes besides the store: who signs, and where it is to be found. */
export interface Issuing {
  /** Records the events of issuing and revoking. */
  readonly recorder: Recorder
  readonly keys: SigningKeys
  /** Signs credentials of test agents. These keys are not published, so no verifier accepts them as live. */
  readonly testKeys: SigningKeys
  readonly baseUrl: () => string
}

/** Far more than an agent needs; it bounds what is stored for one agent. */
export const LIVING_MAX = 10_000

/** The agent that a credential is about, and its owner. */
type Subject = Pick<Credential, 'ownerId' | 'agentId'>

type Content = Subject &
  Pick<Credential, 'issuerId' | 'type' | 'claims' | 'minimumScore' | 'expiresAt'>

/** Issues a credential with a statement of the agent's owner. */
export async function issueCredential(
  within: Store,
  issuing: Issuing,
  given: Subject & Pick<Content, 'type' | 'claims' | 'expiresAt'>,
): Promise<Credential> {
  await admit(within, issuing, given)
  const content: Content = { ...given, issuerId: given.ownerId, minimumScore: null }
  const credential = await issue(within, issuing, content)
  await record(within, issuing.recorder, credential, 'credential.issued')
  return credential
}

/**
 * Issues the service's statement that an agent's score is at least in this tier, and nothing more.
 * It causes no event: it only repeats the score.
 */
export async function issueScoreCredential(
  within: Store,
  issuing: Issuing,
  given: Subject & { readonly atLeast: Classification; readonly expiresAt: number },
): Promise<Credential> {
  const agentState = await admit(within, issuing, given)
  const { atLeast, ownerId, agentId, expiresAt } = given
  const at = scoringTime(agentState, issuing.recorder.now())
  const { evidence } = agentState
  const { score, classification, confidence, modelVersion } = scoreAt(MODEL, evidence, at)
  const minimumScore = tierMin(atLeast)
  if (score < minimumScore) {
    throw new TrustError('CONFLICT', `the score is ${classification} now, not ${atLeast}`, {
      reason: 'score_too_low',
      classification,
    })
  }
  const on = new Date(at).toISOString().slice(0, 10)
  const claims = { atLeast, on, confidence, modelVersion }
  const said = { type: SCORE_CREDENTIAL, issuerId: null, claims, minimumScore, expiresAt }
  return issue(within, issuing, { ownerId, agentId, ...said })
}

/** The agent's state, locked, if its owner may have a credential issued for it. */
async function admit(
  within: Store,
  { recorder }: Issuing,
  { ownerId, agentId }: Subject,
): Promise<AgentState> {
  const { agentState } = await lockOwnAgent(within, ownerId, agentId)
  if (agentState.status !== 'active') {
    throw forbidden(`this agent is ${agentState.status}; no credential is issued to it`, {
      reason: `agent_${agentState.status}`,
    })
  }
  const counted = { agentId, at: recorder.now(), max: LIVING_MAX }
  const living = await within.credentials.count(counted)
  const refusal = `an agent holds at most ${LIVING_MAX} living credentials; revoke some first`
  checkLimit('max_credentials', living, LIVING_MAX, refusal)
  return agentState
}

async function issue(
  within: Store,
  { recorder: { now, newId }, keys, testKeys, baseUrl }: Issuing,
  content: Content,
): Promise<Credential> {
  const at = now()
  const { agentId } = content
  const unsigned = {
    id: newIdLike(agentId, newId),
    ...content,
    issuedAt: at,
    revokedAt: null,
    revocationReason: null,
    place: await drawPlace(within),
  }
  const sign = await issuerOf(isTestId(agentId) ? testKeys : keys, within, baseUrl())
  const signed = await sign(credentialPayload(unsigned, baseUrl(), at))
  const credential: Credential = { ...unsigned, signature: { ...signed, signedAt: at } }
  await within.credentials.insert(credential)
  await within.notifications.insertAll([credentialIssued(credential)])
  return credential
}

/**
 * Indexes drawn at once. When fewer than half of them are free, the list is about half full, and
 * the next one is started. So a free index is always found, and an index of a list reveals nothing
 * about the number of its credentials.
 */
const DRAWN = 64

async function drawPlace(within: Store): Promise<StatusPlace> {
  const drawn = Array.from({ length: DRAWN }, () => randomInt(STATUS_LIST_LENGTH))
  const { list, free } = await within.credentials.freeIndexes(drawn)
  const [index] = free
  if (index !== undefined && free.length >= DRAWN / 2) {
    return { list, index }
  }
  return { list: list + 1, index: randomInt(STATUS_LIST_LENGTH) }
}

/** Revokes a credential; revoking it again changes nothing. */
export async function revokeCredential(
  within: Store,
  recorder: Recorder,
  { ownerId, id, reason }: Pick<Credential, 'ownerId' | 'id'> & { readonly reason: string | null },
): Promise<Credential> {
  const found = await within.credentials.find({ id })
  if (!found) {
    throw notFound('credential')
  }
  if (found.ownerId !== ownerId) {
    throw ofOtherOwner('this credential is about another owner’s agent')
  }
  // Agents are locked before credentials, here as everywhere, so that no transactions deadlock.
  const agentState = await within.agentStates.find({ agentId: found.agentId }, { lock: 'wait' })
  const at = recorder.now()
  const [revoked] = await within.credentials.revoke({ id }, { at, reason })
  if (!revoked) {
    return (await within.credentials.find({ id })) ?? found
  }
  await within.notifications.insertAll([credentialRevoked(revoked, at)])
  const isRecorded = revoked.issuerId !== null && agentState?.status !== 'deactivated'
  if (isRecorded) {
    await record(within, recorder, revoked, 'credential.revoked')
  }
  return revoked
}

/** Records an owner's action among the agent's events; it has the weight of a self-report. */
function record(
  within: Store,
  recorder: Recorder,
  { id, agentId, ownerId, type }: Credential,
  eventType: Extract<EventType, `credential.${string}`>,
): Promise<void> {
  return recordOwnEvent(within, recorder, {
    agentId,
    ownerId,
    event: { type: eventType, data: { credentialId: id, credentialType: type } },
  })
}
