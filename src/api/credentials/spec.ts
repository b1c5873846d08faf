import { REISSUED_MAX } from '../../credentials/reissue.ts'
import { TOKEN_MEDIA_TYPE } from '../../credentials/token.ts'
import type { RouteSpecs } from '../../http/route.ts'
import { ANYONE, IdParams } from '../wire.ts'
import {
  Credential,
  CredentialList,
  CredentialQueryParams,
  IssueBody,
  Reissued,
  RevokeBody,
  ScoreBody,
  Verification,
  VerifyBody,
} from './schema.ts'

const CREDENTIAL = { description: 'The credential', schema: Credential }
const VERIFIED = {
  200: { description: 'Whether it is valid, and each check', schema: Verification },
}

export const CREDENTIAL_SPECS = {
  issueCredential: {
    method: 'post',
    path: '/v1/credentials',
    tag: 'Credentials',
    summary: 'Issue a credential to an agent',
    description:
      'The owner of the agent only. Returns the credential with its signed token. Records a ' +
      '`credential.issued` event with the weight of a self-report. `FORBIDDEN` with `details.reason` ' +
      '`agent_suspended` or `agent_deactivated` when the agent is not active, and with `details.limit` ' +
      '`max_credentials` when it has 10,000 living credentials.',
    callers: ['owner'],
    body: IssueBody,
    responses: { 201: CREDENTIAL },
    errors: ['NOT_FOUND'],
  },
  issueScoreCredential: {
    method: 'post',
    path: '/v1/agents/{id}/score/credential',
    tag: 'Credentials',
    summary: 'Issue a credential that the score has reached a tier',
    description:
      'The owner of the agent only. Returns a credential in which the service states that the score ' +
      'is at least in the tier `atLeast`, and nothing more. It is revoked when the score falls below ' +
      'the tier. `CONFLICT` with `details.reason` `score_too_low` when the score is below it now.',
    callers: ['owner'],
    params: IdParams,
    body: ScoreBody,
    responses: { 201: CREDENTIAL },
    errors: ['CONFLICT'],
  },
  listCredentials: {
    method: 'get',
    path: '/v1/credentials',
    tag: 'Credentials',
    summary: 'List the credentials of an agent, newest first',
    description:
      'The owner of the agent only. With `status` every page lists the credentials that had the ' +
      'status when the first page was read.',
    callers: ['owner'],
    query: CredentialQueryParams,
    responses: { 200: { description: 'A page of credentials', schema: CredentialList } },
    errors: ['NOT_FOUND'],
  },
  getCredential: {
    method: 'get',
    path: '/v1/credentials/{id}',
    tag: 'Credentials',
    summary: 'Get a credential',
    description:
      'No credential needed. Returns JSON by default, a page for `Accept: text/html`, and the signed ' +
      `token for \`Accept: ${TOKEN_MEDIA_TYPE}\`.`,
    callers: ANYONE,
    params: IdParams,
    isPublic: true,
    responses: { 200: { ...CREDENTIAL, textTypes: ['text/html', TOKEN_MEDIA_TYPE] } },
  },
  verifyCredentialById: {
    method: 'post',
    path: '/v1/credentials/{id}/verify',
    queue: 'read',
    writes: false,
    tag: 'Credentials',
    summary: 'Verify a credential by its id',
    description:
      'Owner only. Returns `valid` and the result of each check, read from the database: a ' +
      'revocation is visible at once on every node. A revoked or expired credential is ' +
      '`valid: false` with 200.',
    callers: ['owner'],
    permission: 'read',
    params: IdParams,
    responses: VERIFIED,
  },
  verifyCredential: {
    method: 'post',
    path: '/v1/credentials/verify',
    queue: 'read',
    writes: false,
    tag: 'Credentials',
    summary: 'Verify a credential by its id or its token',
    description:
      'No credential needed. Send either `credentialId` or `jwt`. A revoked, expired or forged ' +
      'credential is `valid: false` with 200; an unknown id is `NOT_FOUND`.',
    callers: ANYONE,
    body: VerifyBody,
    isPublic: true,
    responses: VERIFIED,
    errors: ['NOT_FOUND'],
  },
  revokeCredential: {
    method: 'delete',
    path: '/v1/credentials/{id}',
    tag: 'Credentials',
    summary: 'Revoke a credential permanently',
    description:
      'The owner of the agent only. Every verifier sees the revocation before the response is sent. ' +
      'Returns the revoked credential; revoking it again changes nothing.',
    callers: ['owner'],
    isNeverLimited: true,
    params: IdParams,
    body: RevokeBody,
    responses: { 200: CREDENTIAL },
  },
} as const satisfies RouteSpecs

export const REISSUE_SPECS = {
  reissueCredentials: {
    method: 'post',
    path: '/v1/operator/credentials/reissue',
    tag: 'Operator',
    summary: 'Sign living credentials again with the active key',
    description:
      `Operator only. Signs up to ${REISSUED_MAX} credentials that another key, or the service at ` +
      'another address, has signed; call it again while `more` is true. Nothing else of them changes.',
    callers: ['operator'],
    responses: { 200: { description: 'How many were signed again', schema: Reissued } },
  },
} as const satisfies RouteSpecs
