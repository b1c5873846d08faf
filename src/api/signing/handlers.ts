import { audit } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import { issuingHalt, setHalt } from '../../credentials/halt.ts'
import { ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { holderOf, type SigningKeys } from '../../signing/keys.ts'
import type { Halt } from '../../store/installation.ts'
import { pageAfter, pageByKey } from '../paging.ts'
import { presentIssuing, presentKey } from './present.ts'
import { SIGNING_SPECS } from './spec.ts'

export interface SigningDeps extends Context {
  /** Sign credentials. */
  readonly keys: SigningKeys
  /** Sign receipts. */
  readonly receiptKeys: SigningKeys
  /** Sign what concerns test agents. */
  readonly testKeys: SigningKeys
  /** Sign the tokens of sign-ins. */
  readonly tokenKeys: SigningKeys
  /** Called after the issuing was halted, or resumed with null. */
  readonly onIssuingChanged: (halt: Halt | null) => void
}

export function signingRoutes(deps: SigningDeps): readonly Route[] {
  return bind(SIGNING_SPECS, deps, {
    listSigningKeys,
    rotateSigningKey,
    revokeSigningKey,
    getIssuing,
    updateIssuing,
  })
}

type In<Name extends keyof typeof SIGNING_SPECS> = InputOf<(typeof SIGNING_SPECS)[Name]>

function allOf({ keys, receiptKeys, tokenKeys, testKeys }: SigningDeps): readonly SigningKeys[] {
  return [keys, receiptKeys, tokenKeys, testKeys]
}

async function listSigningKeys(deps: SigningDeps, { query }: In<'listSigningKeys'>) {
  const name = { list: 'signing-keys' }
  const request = pageByKey(deps.cursors, query, name)
  const rows = await Promise.all(allOf(deps).map((one) => one.list(deps.store)))
  const page = pageAfter(rows.flat(), ({ kid }) => kid, request)
  return request.respond(page, presentKey, ({ kid }) => kid)
}

function rotateSigningKey(deps: SigningDeps, input: In<'rotateSigningKey'>) {
  const { caller, body, transact } = input
  return transact(async (within) => {
    const wanted = body?.purpose ?? 'credentials'
    const keys = allOf(deps).find(({ purpose }) => purpose === wanted) ?? deps.keys
    const key = await keys.rotate(within)
    const { kid, purpose } = key
    await audit(within, deps, caller, {
      action: 'signing_key.rotated',
      target: target(kid),
      details: { purpose },
    })
    return ok(presentKey(key))
  })
}

function revokeSigningKey(deps: SigningDeps, input: In<'revokeSigningKey'>) {
  const { caller, params, body, transact } = input
  return transact(async (within) => {
    const keys = await holderOf(allOf(deps), within, params.kid)
    const { key, isNew } = await keys.revoke(within, params.kid)
    if (isNew) {
      await audit(within, deps, caller, {
        action: 'signing_key.revoked',
        target: target(params.kid),
        details: body,
      })
    }
    return ok(presentKey(key))
  })
}

async function getIssuing({ store }: SigningDeps) {
  return ok(presentIssuing(await issuingHalt(store)))
}

async function updateIssuing(deps: SigningDeps, { caller, body, transact }: In<'updateIssuing'>) {
  const { halted, reason } = body
  const halt = halted ? { at: deps.now(), by: caller.operatorId, reason } : null
  let isChanged = false
  const response = await transact(async (within) => {
    isChanged = await setHalt(within, halt)
    if (isChanged) {
      const action = halted ? 'issuing.halted' : 'issuing.resumed'
      await audit(within, deps, caller, { action, target: null, details: { reason } })
    }
    return ok(presentIssuing(await issuingHalt(within)))
  })
  if (isChanged) {
    deps.onIssuingChanged(halt)
  }
  return response
}

function target(kid: string) {
  return { kind: 'signing_key', id: kid }
}
