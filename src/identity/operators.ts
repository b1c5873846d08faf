import { audit } from '../audit/audit.ts'
import { hashOf } from '../auth/key-format.ts'
import { issueKey } from '../auth/rotate-key.ts'
import { SETUP_OPERATOR } from '../auth/setup.ts'
import { checkLimit, forbidden, notFound, TrustError } from '../domain/error.ts'
import type { Sources } from '../lib/sources.ts'
import type { OperatorRow, Store } from '../store/store.ts'

/** The operator whose key the settings name. */
const SETTINGS_OPERATOR = 'settings'

/** Names that the service itself gives. */
const RESERVED = [SETTINGS_OPERATOR, SETUP_OPERATOR]

/** A handful of people and programs run an installation; the list is read as a whole. */
const OPERATORS_MAX = 100

/** A named operator with its key, which is shown only now. */
export async function createOperator(
  within: Store,
  sources: Sources,
  name: string,
): Promise<{ readonly row: OperatorRow; readonly apiKey: string }> {
  if (RESERVED.includes(name)) {
    throw taken(name)
  }
  const active = (await within.operators.list()).filter(({ revokedAt }) => revokedAt === null)
  const refusal = `there are ${OPERATORS_MAX} operators; revoke one`
  checkLimit('max_operators', active.length, OPERATORS_MAX, refusal)
  const row = await insertOperator(within, sources, name)
  return { row, apiKey: await issueKey(within, 'operator', row.id, row.createdAt) }
}

async function insertOperator(
  within: Store,
  { now, newId }: Sources,
  name: string,
): Promise<OperatorRow> {
  const row = { id: newId(), name, createdAt: now(), revokedAt: null, lastUsedAt: null }
  if (!(await within.operators.insert(row))) {
    throw taken(name)
  }
  return row
}

function taken(name: string): TrustError {
  return new TrustError(
    'CONFLICT',
    `the name ${name} is taken; rotate the key of that operator, or choose another name`,
  )
}

/**
 * The active ones. All are locked: two operators that revoke each other at the same time would otherwise both be
 * gone.
 */
async function lockedOperators(within: Store): Promise<readonly OperatorRow[]> {
  const all = await within.operators.list({ lock: 'wait' })
  return all.filter(({ revokedAt }) => revokedAt === null)
}

function named(operators: readonly OperatorRow[], name: string): OperatorRow | null {
  return operators.find((operator) => operator.name === name) ?? null
}

/** The active operator with this name. */
export async function activeOperator(store: Store, name: string): Promise<OperatorRow> {
  const operator = named(await lockedOperators(store), name)
  if (!operator) {
    throw notFound('active operator')
  }
  if (operator.name === SETTINGS_OPERATOR) {
    throw forbidden('this key is a setting: change STANDING_OPERATOR_KEY and restart', {
      reason: 'key_is_a_setting',
    })
  }
  return operator
}

/** Ends an operator's keys, on every node before this is answered. The last operator stays. */
export async function revokeOperator(
  within: Store,
  { now }: Sources,
  name: string,
): Promise<OperatorRow> {
  const operator = await activeOperator(within, name)
  if ((await lockedOperators(within)).length === 1) {
    throw new TrustError('CONFLICT', 'this is the last operator; create another one first')
  }
  const revokedAt = now()
  if (!(await within.operators.revoke(operator.id, revokedAt))) {
    throw notFound('active operator')
  }
  await within.keys.expire(operator.id, revokedAt)
  return { ...operator, revokedAt }
}

/**
 * Makes the key of the settings the only one of its operator: a key that was configured before stops,
 * also when none is configured any more.
 */
export function applyOperatorKey(
  store: Store,
  sources: Sources,
  operatorKey: string | null,
): Promise<void> {
  return store.transaction((within) => apply(within, sources, operatorKey))
}

async function apply(within: Store, sources: Sources, operatorKey: string | null): Promise<void> {
  const active = named(await lockedOperators(within), SETTINGS_OPERATOR)
  if (operatorKey === null) {
    return active ? end(within, sources, active) : undefined
  }
  const [holder] = await within.keys.find([hashOf(operatorKey)])
  const isNamed = holder?.kind === 'operator' && holder.expiresAt === null
  if (isNamed && holder.operatorId !== active?.id) {
    // The key of a named operator needs no second name.
    return active ? end(within, sources, active) : undefined
  }
  if (!isNamed) {
    await set(within, sources, active, operatorKey)
  }
}

async function set(
  within: Store,
  sources: Sources,
  active: OperatorRow | null,
  operatorKey: string,
): Promise<void> {
  const id = active?.id ?? sources.newId()
  if (active === null && !(await within.operators.insert(newOperator(id, sources)))) {
    // A node that starts at the same time has created it by now.
    return apply(within, sources, operatorKey)
  }
  await within.keys.expire(id, sources.now())
  await within.keys.restore({
    hash: hashOf(operatorKey),
    kind: 'operator',
    principalId: id,
    createdAt: sources.now(),
    expiresAt: null,
  })
  await record(within, sources, active ? 'operator.key_replaced' : 'operator.created', id)
}

function newOperator(id: string, { now }: Sources): OperatorRow {
  return { id, name: SETTINGS_OPERATOR, createdAt: now(), revokedAt: null, lastUsedAt: null }
}

async function end(within: Store, sources: Sources, { id }: OperatorRow): Promise<void> {
  await within.operators.revoke(id, sources.now())
  await within.keys.expire(id, sources.now())
  await record(within, sources, 'operator.revoked', id)
}

function record(within: Store, sources: Sources, action: string, id: string): Promise<void> {
  const target = { kind: 'operator', id }
  return audit(within, sources, 'setup', { action, target, details: { name: SETTINGS_OPERATOR } })
}
