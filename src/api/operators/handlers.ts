import { audit } from '../../audit/audit.ts'
import { rotateKey } from '../../auth/rotate-key.ts'
import type { Context } from '../../context.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import {
  activeOperator,
  createOperator as create,
  revokeOperator as revoke,
} from '../../identity/operators.ts'
import type { OperatorRow } from '../../store/store.ts'
import { presentRotatedKey } from '../agents/present.ts'
import { keysOf, keysOfEach } from '../key-records.ts'
import { idOf, pageAfter, pageByKey } from '../paging.ts'
import { presentOperator } from './present.ts'
import { OPERATORS_SPECS } from './spec.ts'

export function operatorsRoutes(deps: Context): readonly Route[] {
  return bind(OPERATORS_SPECS, deps, {
    createOperator,
    listOperators,
    rotateOperatorKey,
    revokeOperator,
  })
}

type In<Name extends keyof typeof OPERATORS_SPECS> = InputOf<(typeof OPERATORS_SPECS)[Name]>

function createOperator(deps: Context, { caller, body, transact }: In<'createOperator'>) {
  return transact(async (within) => {
    const { row, apiKey } = await create(within, deps, body.name)
    const keys = await keysOf(within, row.id)
    await audit(within, deps, caller, {
      action: 'operator.created',
      target: target(row),
      details: { name: row.name },
    })
    return created({ ...presentOperator(row, keys), apiKey })
  })
}

async function listOperators({ store, cursors }: Context, { query }: In<'listOperators'>) {
  const request = pageByKey(cursors, query, { list: 'operators' })
  const page = pageAfter(await store.operators.findAll({}), idOf, request)
  const keysFor = await keysOfEach(store, page.rows)
  return request.respond(page, (row) => presentOperator(row, keysFor(row)), idOf)
}

function rotateOperatorKey(deps: Context, input: In<'rotateOperatorKey'>) {
  const { caller, params, body, transact } = input
  return transact(async (within) => {
    const operator = await activeOperator(within, params.name)
    const overlap = body?.overlapSeconds
    const rotated = await rotateKey(
      within,
      { kind: 'operator', id: operator.id },
      deps.now(),
      overlap,
    )
    const details = { name: operator.name }
    await audit(within, deps, caller, {
      action: 'operator.key_rotated',
      target: target(operator),
      details,
    })
    return created(presentRotatedKey(rotated))
  })
}

function revokeOperator(deps: Context, { caller, params, transact }: In<'revokeOperator'>) {
  return transact(async (within) => {
    const { operator, isNew } = await revoke(within, deps, params.name)
    const keys = await keysOf(within, operator.id)
    if (isNew) {
      await audit(within, deps, caller, {
        action: 'operator.revoked',
        target: target(operator),
        details: { name: operator.name },
      })
    }
    return ok(presentOperator(operator, keys))
  })
}

function target({ id }: OperatorRow) {
  return { kind: 'operator', id }
}
