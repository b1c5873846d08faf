import { expect, test } from 'vitest'
import { TrustError } from '../domain/error.ts'
import { createVault } from '../lib/vault.ts'
import { idempotentRequest } from './idempotency.ts'
import type { Request } from './request.ts'

const vault = createVault(new Uint8Array(32).fill(1))
const options = { hashKey: new Uint8Array(32).fill(2), sealer: vault, now: () => 0 }
const CALLER = { kind: 'agent', agentId: 'a', ownerId: 'o', tier: 'free' } as const

function requestWith(text: string) {
  const request = { method: 'POST', path: '/v1/events', search: '?a=1' } as Request
  return idempotentRequest(options, CALLER, request, {
    key: 'k',
    bodyBytes: Buffer.from(text),
    json: JSON.parse(text),
    error: { requestId: 'r', basePath: '' },
    room: null,
    isNeverLimited: false,
  })
}

const RESPONSE = { status: 201, body: { id: 'e' } }

/** As releases store it that know only the bytes of a request. */
const FORMER = {
  scope: requestWith('{"a":1,"b":2}').scope,
  fingerprint: Buffer.from(
    '20672a07138d81cf60c3b5ffdf5097850898a9295702a0a3238a9fa5d2d79e52',
    'hex',
  ),
  sealed: vault.seal(
    Buffer.from(JSON.stringify(RESPONSE)),
    Buffer.from(requestWith('{"a":1,"b":2}').scope).toString('hex'),
  ),
  expiresAt: 1,
}

test('a response that a former release stored is repeated for the same bytes', () => {
  expect(requestWith('{"a":1,"b":2}').earlier(FORMER)).toMatchObject(RESPONSE)
  const respelt = requestWith('{"b":2,"a":1}').earlier(FORMER)
  expect(respelt instanceof TrustError && respelt.code).toBe('IDEMPOTENCY_KEY_REUSED')
})

test('a former release finds the fingerprint and the response that it expects', () => {
  const { stored } = requestWith('{"a":1,"b":2}').settle(RESPONSE)
  const context = Buffer.from(FORMER.scope).toString('hex')
  const opened = Buffer.from(vault.open(stored?.sealed ?? new Uint8Array(), context)).toString()
  expect(Buffer.from(stored?.fingerprint ?? [])).toEqual(FORMER.fingerprint)
  expect(JSON.parse(opened)).toMatchObject(RESPONSE)
})

test('the response does not have what is stored with it', () => {
  const { stored } = requestWith('{"a":1,"b":2}').settle(RESPONSE)
  expect(requestWith('{"b":2,"a":1}').earlier(stored)).toEqual({
    ...RESPONSE,
    headers: { 'idempotent-replayed': 'true' },
  })
})
