import type { Context } from '../../context.ts'
import { attest } from '../../credentials/attestation.ts'
import { TOKEN_MEDIA_TYPE } from '../../credentials/token.ts'
import { isTestId } from '../../domain/mode.ts'
import { MODEL } from '../../domain/model.ts'
import { scoreAt } from '../../domain/score.ts'
import { scoringTime } from '../../domain/time.ts'
import { preferred } from '../../http/negotiate.ts'
import { ok, okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import { existingState } from '../../scoring/agent-state.ts'
import type { SigningKeys } from '../../signing/keys.ts'
import type { AgentState, Store } from '../../store/store.ts'
import { time } from '../wire.ts'
import { EXTENSION_URI } from './schema.ts'
import { ATTESTATION_SPECS } from './spec.ts'

export interface AttestationDeps extends Context {
  /** Sign credentials. */
  readonly keys: SigningKeys
  /** Sign what concerns test agents. */
  readonly testKeys: SigningKeys
  readonly lookups: Lookups
  readonly baseUrl: () => string
}

export function attestationRoutes(deps: AttestationDeps): readonly Route[] {
  return bind(ATTESTATION_SPECS, deps, { getAttestation })
}

/** A site that publishes an attestation fetches it again before it expires. */
const CACHE = { 'cache-control': 'public, max-age=300', vary: 'accept' }

const DESCRIPTION = 'The standing of this agent, signed.'

async function getAttestation(
  deps: AttestationDeps,
  { caller, params, request }: InputOf<typeof ATTESTATION_SPECS.getAttestation>,
) {
  const { store, now, lookups } = deps
  const keys = isTestId(params.id) ? deps.testKeys : deps.keys
  const state = await existingState(store, params.id)
  await lookups.take(caller, 1)
  const at = scoringTime(state, now())
  const facts = await factsOf(store, state, at)
  const baseUrl = deps.baseUrl()
  const { jwt, payload, expiresAt } = await attest(
    store,
    { keys, baseUrl },
    { agentId: state.agentId, facts, at },
  )
  const accept = request.headers.get('accept')
  if (preferred(accept, ['application/json', TOKEN_MEDIA_TYPE]) === TOKEN_MEDIA_TYPE) {
    return okContent(jwt, TOKEN_MEDIA_TYPE, CACHE)
  }
  const uri = `${baseUrl}/v1/agents/${state.agentId}/attestation`
  const extension = {
    uri: EXTENSION_URI,
    description: DESCRIPTION,
    required: false,
    params: { attestation: jwt, refresh: uri },
  }
  return ok(
    {
      attestation: jwt,
      expiresAt: time(expiresAt),
      subject: payload.credentialSubject,
      extension,
      trustManifest: { type: 'standing-attestation', uri, description: DESCRIPTION },
    },
    CACHE,
  )
}

/** More names than any agent has; the newest are stated. */
const NAMES_MAX = 100

async function factsOf(store: Store, { agentId, status, evidence }: AgentState, at: number) {
  const score = scoreAt(MODEL, evidence, at)
  const verified = { agentId, status: 'verified' } as const
  const names = await store.identifiers.list(verified, null, NAMES_MAX)
  return {
    agentId,
    status,
    score: score.score,
    classification: score.classification,
    confidence: score.confidence,
    interval: score.interval,
    disputed: score.disputed,
    exposureLimit: score.exposureLimit,
    eventCount: score.eventCount,
    modelVersion: score.modelVersion,
    identifiers: names.rows.map(({ value }) => value),
  }
}
