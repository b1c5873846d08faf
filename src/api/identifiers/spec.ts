import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import { ANYONE, IdParams } from '../wire.ts'
import { ClaimBody, Identifier, IdentifierList, IdentifierParams, VerifyBody } from './schema.ts'

const MANAGERS = ['agent', 'owner'] as const

export const IDENTIFIER_SPECS = {
  claimIdentifier: {
    method: 'post',
    path: '/v1/agents/{id}/identifiers',
    tag: 'Identifiers',
    summary: 'Claim a name under which the agent is known elsewhere',
    description:
      'The agent or its owner only. Returns the claim with its challenge. A claim gives nothing: ' +
      'publish or sign the challenge, then verify it. A name that the agent claims already is returned ' +
      'with 200. `FORBIDDEN` with `details.limit` `max_identifiers` when the agent has too many.',
    callers: MANAGERS,
    params: IdParams,
    body: ClaimBody,
    responses: {
      200: { description: 'The name was claimed before', schema: Identifier },
      201: { description: 'The claim', schema: Identifier },
    },
  },
  listIdentifiers: {
    method: 'get',
    path: '/v1/agents/{id}/identifiers',
    tag: 'Identifiers',
    summary: 'List the names of an agent, newest first',
    description:
      'No credential needed. Returns verified names; the agent, its owner and the operator see claims, ' +
      'challenges and problems as well.',
    callers: ANYONE,
    params: IdParams,
    query: PageQuery,
    responses: { 200: { description: 'A page of identifiers', schema: IdentifierList } },
  },
  verifyIdentifier: {
    method: 'post',
    path: '/v1/agents/{id}/identifiers/{identifierId}/verify',
    tag: 'Identifiers',
    summary: 'Verify a name by its challenge',
    description:
      'The agent or its owner only. Reads the places where the challenge may be published or, with ' +
      '`signature`, checks the signature. What cannot be proven stays `claimed`: `VALIDATION_ERROR` ' +
      'says why in `details.issues`. `CONFLICT` with `details.reason` `identifier_taken` while another ' +
      'agent’s proof of the same name holds.',
    callers: MANAGERS,
    // Other servers are asked meanwhile.
    queue: 'none',
    params: IdentifierParams,
    body: VerifyBody,
    responses: { 200: { description: 'The verified identifier', schema: Identifier } },
  },
  deleteIdentifier: {
    method: 'delete',
    path: '/v1/agents/{id}/identifiers/{identifierId}',
    tag: 'Identifiers',
    summary: 'Give a name up',
    description: 'The agent or its owner only. Another agent can verify the name from now on.',
    callers: MANAGERS,
    params: IdentifierParams,
    responses: { 204: { description: 'The identifier is deleted' } },
  },
} as const satisfies RouteSpecs
