import type { RouteSpecs } from '../../http/route.ts'
import { RotatedKey, RotateKeyBody } from '../agents/schema.ts'
import { PageQuery } from '../paging.ts'
import {
  CreateOperatorBody,
  Operator,
  OperatorList,
  OperatorParams,
  OperatorWithKey,
} from './schema.ts'

const SETTING =
  '`FORBIDDEN` for `settings`, whose key is the setting `STANDING_OPERATOR_KEY`: change it there.'

export const OPERATORS_SPECS = {
  createOperator: {
    method: 'post',
    path: '/v1/operator/operators',
    tag: 'Operator',
    summary: 'Create an operator with its own key',
    description:
      'Operator only. Each person and program gets its own key, so that the audit log names it and ' +
      'one key can be revoked alone. The key is shown only in this response. `CONFLICT` when an ' +
      'active operator has the name. `FORBIDDEN` with `details.limit` `max_operators` when there are ' +
      'a hundred.',
    callers: ['operator'],
    body: CreateOperatorBody,
    responses: { 201: { description: 'The operator and its key', schema: OperatorWithKey } },
  },
  listOperators: {
    method: 'get',
    path: '/v1/operator/operators',
    tag: 'Operator',
    summary: 'List the operators, newest first',
    description: 'Operator only. Includes revoked operators, with the last use of each key.',
    callers: ['operator'],
    query: PageQuery,
    responses: { 200: { description: 'A page of operators', schema: OperatorList } },
  },
  rotateOperatorKey: {
    method: 'post',
    path: '/v1/operator/operators/{name}/rotate-key',
    tag: 'Operator',
    summary: 'Create a new key for an operator',
    description:
      'Operator only. Returns the new key, which is shown only in this response. The previous key ' +
      `keeps working for \`overlapSeconds\`, one hour by default. ${SETTING}`,
    callers: ['operator'],
    params: OperatorParams,
    body: RotateKeyBody,
    responses: { 201: { description: 'The new key', schema: RotatedKey } },
  },
  revokeOperator: {
    method: 'delete',
    path: '/v1/operator/operators/{name}',
    tag: 'Operator',
    summary: 'Revoke an operator',
    description:
      'Operator only. The key stops working at once, on every node. Revoking an operator again ' +
      `changes nothing. \`CONFLICT\` for the last operator. ${SETTING}`,
    callers: ['operator'],
    params: OperatorParams,
    responses: { 200: { description: 'The operator', schema: Operator } },
  },
} as const satisfies RouteSpecs
