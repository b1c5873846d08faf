import { audit } from '../audit/audit.ts'
import { hashOf } from '../auth/key-format.ts'
import { issueKey } from '../auth/rotate-key.ts'
import { newOperator, SETUP_OPERATOR } from '../auth/setup.ts'
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
  const active = await within.operators.findAll({ revokedAt: null })
  const refusal = `there are ${OPERATORS_MAX} operators; revoke one`
  checkLimit('max_operators', active.length, OPERATORS_MAX, refusal)
  const row = await insertOperator(within, sources, name)
  return { row, apiKey: await issueKey(within, { kind: 'operator', id: row.id }, row.createdAt) }
}

async function insertOperator(within: Store, sources: Sources, name: string): Promise<OperatorRow> {
  const row = newOperator(sources, name)
  if (!(await within.operators.insert(row))) {
    throw taken(name)
  }
  return row
}

function taken(name: string): TrustError {
  return new TrustError(
    'CONFLICT',
    `the name ${name} is taken; rotate the key of that operator, or choose another name`,
    { reason: 'name_taken' },
  )
}

/**
 * The active ones. All are locked: two operators that revoke each other at the same time would otherwise both be
 * gone.
 */
async function lockedOperators(within: Store): Promise<readonly OperatorRow[]> {
  return activeOf(await within.operators.findAll({}, { lock: 'wait' }))
}

function activeOf(operators: readonly OperatorRow[]): readonly OperatorRow[] {
  return operators.filter(({ revokedAt }) => revokedAt === null)
}

function named(operators: readonly OperatorRow[], name: string): OperatorRow | null {
  return operators.find((operator) => operator.name === name) ?? null
}

/** The active operator with this name, locked. */
export async function activeOperator(within: Store, name: string): Promise<OperatorRow> {
  return changeable(await lockedOperators(within), name)
}

/** @throws NOT_FOUND, or FORBIDDEN for the operator whose key is a setting */
function changeable(operators: readonly OperatorRow[], name: string): OperatorRow {
  const operator = named(operators, name)
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

/**
 * Ends an operator's keys, on every node before this is answered. The last operator stays. Revoking one again changes
 * nothing: then `isNew` is false. Of several revoked ones with the name it is the newest.
 */
export async function revokeOperator(
  within: Store,
  { now }: Sources,
  name: string,
): Promise<{ readonly operator: OperatorRow; readonly isNew: boolean }> {
  const all = await within.operators.findAll({}, { lock: 'wait' })
  const active = activeOf(all)
  const revoked = named(active, name) ? null : named(all, name)
  if (revoked) {
    return { operator: revoked, isNew: false }
  }
  const operator = changeable(active, name)
  if (active.length === 1) {
    throw new TrustError('CONFLICT', 'this is the last operator; create another one first', {
      reason: 'last_operator',
    })
  }
  const revokedAt = now()
  const { id } = operator
  if (!(await within.operators.update({ id, revokedAt: null }, { revokedAt }))) {
    throw notFound('active operator')
  }
  await within.keys.expire(id, revokedAt)
  return { operator: { ...operator, revokedAt }, isNew: true }
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
  return store.transaction((within) => applyWithin(within, sources, operatorKey))
}

async function applyWithin(
  within: Store,
  sources: Sources,
  operatorKey: string | null,
): Promise<void> {
  const active = named(await lockedOperators(within), SETTINGS_OPERATOR)
  if (operatorKey === null) {
    return active ? endSettingsOperator(within, sources, active) : undefined
  }
  const [holder] = await within.keys.holders([hashOf(operatorKey)])
  const isNamed = holder?.kind === 'operator' && holder.expiresAt === null
  if (isNamed && holder.operatorId !== active?.id) {
    // The key of a named operator needs no second name.
    return active ? endSettingsOperator(within, sources, active) : undefined
  }
  if (!isNamed) {
    await replaceSettingsKey(within, sources, active, operatorKey)
  }
}

async function replaceSettingsKey(
  within: Store,
  sources: Sources,
  active: OperatorRow | null,
  operatorKey: string,
): Promise<void> {
  const operator = active ?? newOperator(sources, SETTINGS_OPERATOR)
  if (active === null && !(await within.operators.insert(operator))) {
    // A node that starts at the same time has created it by now.
    return applyWithin(within, sources, operatorKey)
  }
  const { id } = operator
  await within.keys.expire(id, sources.now())
  await within.keys.save({
    hash: hashOf(operatorKey),
    kind: 'operator',
    principalId: id,
    createdAt: sources.now(),
    expiresAt: null,
    lastUsedAt: null,
  })
  await auditSettings(within, sources, active ? 'operator.key_replaced' : 'operator.created', id)
}

async function endSettingsOperator(
  within: Store,
  sources: Sources,
  { id }: OperatorRow,
): Promise<void> {
  await within.operators.update({ id, revokedAt: null }, { revokedAt: sources.now() })
  await within.keys.expire(id, sources.now())
  await auditSettings(within, sources, 'operator.revoked', id)
}

function auditSettings(within: Store, sources: Sources, action: string, id: string): Promise<void> {
  const target = { kind: 'operator', id }
  const details = { name: SETTINGS_OPERATOR }
  return audit(within, sources, 'setup', { action, target, details })
}
