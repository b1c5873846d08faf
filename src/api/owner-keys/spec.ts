import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import { IdParams } from '../wire.ts'
import { CreateOwnerKeyBody, OwnerKey, OwnerKeyList, OwnerKeyWithSecret } from './schema.ts'

const KEY = { description: 'The API key', schema: OwnerKey }

export const OWNER_KEY_SPECS = {
  createOwnerKey: {
    method: 'post',
    path: '/v1/keys',
    tag: 'Account',
    summary: 'Create an API key of the account',
    description:
      "Owner only, as an admin. The key works wherever an owner's token does, as far as its scopes " +
      'go. It is shown only in this response. `FORBIDDEN` with `details.limit` `max_keys` when the ' +
      'account has 100 active keys.',
    callers: ['owner'],
    permission: 'admin',
    body: CreateOwnerKeyBody,
    responses: { 201: { description: 'The API key', schema: OwnerKeyWithSecret } },
  },
  listOwnerKeys: {
    method: 'get',
    path: '/v1/keys',
    tag: 'Account',
    summary: 'List the API keys of the account, newest first',
    description: 'Owner only. Includes expired and revoked keys.',
    callers: ['owner'],
    isNeverLimited: true,
    query: PageQuery,
    responses: { 200: { description: 'A page of API keys', schema: OwnerKeyList } },
  },
  getOwnerKey: {
    method: 'get',
    path: '/v1/keys/{id}',
    tag: 'Account',
    summary: 'Get an API key of the account',
    description: 'Owner only. Returns the name, the scopes and the last use; never the key itself.',
    callers: ['owner'],
    params: IdParams,
    responses: { 200: KEY },
  },
  revokeOwnerKey: {
    method: 'delete',
    path: '/v1/keys/{id}',
    tag: 'Account',
    summary: 'Revoke an API key of the account',
    description: 'Owner only, as an admin. The key stops working at once, on every node.',
    callers: ['owner'],
    isNeverLimited: true,
    permission: 'admin',
    params: IdParams,
    responses: { 200: KEY },
  },
} as const satisfies RouteSpecs
