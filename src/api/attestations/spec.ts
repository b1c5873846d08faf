import { TOKEN_MEDIA_TYPE } from '../../credentials/token.ts'
import type { RouteSpecs } from '../../http/route.ts'
import { ANYONE, IdParams } from '../wire.ts'
import { Attestation } from './schema.ts'

export const ATTESTATION_SPECS = {
  getAttestation: {
    method: 'get',
    path: '/v1/agents/{id}/attestation',
    tag: 'Credentials',
    summary: 'Get a signed statement about an agent, valid for an hour',
    description:
      'No credential needed. Returns score, status and proven names as a Verifiable Credential that ' +
      'anyone verifies offline by `/.well-known/did.json`, with the forms in which an A2A agent card ' +
      `and an AI Catalog carry it. As \`${TOKEN_MEDIA_TYPE}\` by \`Accept\`. Costs one lookup.`,
    callers: ANYONE,
    params: IdParams,
    isPublic: true,
    responses: {
      200: {
        description: 'The attestation',
        schema: Attestation,
        textTypes: [TOKEN_MEDIA_TYPE],
      },
    },
  },
} as const satisfies RouteSpecs
