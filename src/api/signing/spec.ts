import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import {
  Issuing,
  IssuingBody,
  KidParams,
  RevokeKeyBody,
  RotateBody,
  SigningKey,
  SigningKeys,
} from './schema.ts'

export const SIGNING_SPECS = {
  listSigningKeys: {
    method: 'get',
    path: '/v1/operator/keys',
    tag: 'Operator',
    summary: 'List the keys that sign credentials, receipts and tokens, by purpose',
    description:
      'Operator only. Returns the keys by purpose, public keys only; private keys never leave the service.',
    callers: ['operator'],
    query: PageQuery,
    responses: { 200: { description: 'A page of keys', schema: SigningKeys } },
  },
  rotateSigningKey: {
    method: 'post',
    path: '/v1/operator/keys/rotate',
    tag: 'Operator',
    summary: 'Replace the active signing key',
    description:
      'Operator only. Returns the new active key. What the previous key signed stays valid, and its ' +
      'public key stays published. The keys of `tokens` are those of sign-ins; they are not published.',
    callers: ['operator'],
    body: RotateBody,
    responses: { 200: { description: 'The active key', schema: SigningKey } },
  },
  revokeSigningKey: {
    method: 'post',
    path: '/v1/operator/keys/{kid}/revoke',
    tag: 'Operator',
    summary: 'Revoke a signing key that leaked',
    description:
      'Operator only. Everything the key signed becomes invalid at once on every node; an active key ' +
      'is replaced. Afterwards re-issue the credentials that it signed; clients can request new ' +
      'receipts, and people sign in again. A key that is revoked already stays as it is.',
    callers: ['operator'],
    params: KidParams,
    body: RevokeKeyBody,
    responses: { 200: { description: 'The revoked key', schema: SigningKey } },
  },
  getIssuing: {
    method: 'get',
    path: '/v1/operator/issuing',
    tag: 'Operator',
    summary: 'Get whether credentials are issued',
    description: 'Operator only. Read from the database: the same on every node.',
    callers: ['operator'],
    responses: { 200: { description: 'Whether credentials are issued', schema: Issuing } },
  },
  updateIssuing: {
    method: 'patch',
    path: '/v1/operator/issuing',
    tag: 'Operator',
    summary: 'Halt or resume the issuing of credentials',
    description:
      'Operator only. While it is halted, no node issues a credential, signs one again or signs an ' +
      'attestation: these requests get `SERVICE_UNAVAILABLE` with `details.reason` `issuing_halted`. ' +
      'Verification, revocation, status lists, receipts, reports and test data go on. Repeated, it ' +
      'changes nothing: the first halt stays.',
    callers: ['operator'],
    body: IssuingBody,
    responses: { 200: { description: 'Whether credentials are issued', schema: Issuing } },
  },
} as const satisfies RouteSpecs
