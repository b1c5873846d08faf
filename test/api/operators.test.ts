import { Standing } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { newKey } from '../../src/auth/key-format.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { atEnd } from '../support/at-end.ts'
import { eventually } from '../support/eventually.ts'
import { holdLocks, waitForLocks } from '../support/hold-locks.ts'
import { refusal } from '../support/http.ts'
import { OPERATOR_KEY, startService, type TestService } from '../support/service.ts'

const at = await startService()
const { operator } = at.operator
const ENDED = { status: 401, code: 'AUTHENTICATION_REQUIRED' }

function as(service: Pick<TestService, 'url'>, operatorKey: string): Standing['operator'] {
  return new Standing({ baseUrl: service.url, operatorKey, retriesMax: 0 }).operator
}

describe('a named operator', () => {
  test('has a key that works, and the audit log names it', async () => {
    const { apiKey, ...record } = await operator.createOperator('alice')
    expect(apiKey).toMatch(/^avo_[0-9A-Za-z]{38}$/)
    expect(record).toMatchObject({ name: 'alice', status: 'active', lastUsedAt: null })
    await as(at, apiKey).createPlatform({ name: 'by alice' })
    const { data } = await operator.audit({ limit: 2 })
    expect(data).toMatchObject([
      { action: 'platform.created', actor: { kind: 'operator', id: record.id, name: 'alice' } },
      {
        action: 'operator.created',
        actor: { kind: 'operator', name: 'settings' },
        details: { name: 'alice' },
      },
    ])
    for await (const entry of operator.exportAudit()) {
      expect(entry.actor).toHaveProperty('name')
    }
    expect(await operator.operators()).toContainEqual(record)
  })

  test('who is revoked is refused on every node, and the name is free again', async () => {
    const { apiKey } = await operator.createOperator('bob')
    const node = as(await at.node(), apiKey)
    await node.operators()
    expect(await operator.revokeOperator('bob')).toMatchObject({ name: 'bob', status: 'revoked' })
    expect(await refusal(as(at, apiKey).operators())).toMatchObject(ENDED)
    await eventually(async () => expect(await refusal(node.operators())).toMatchObject(ENDED))
    expect(await refusal(operator.revokeOperator('unknown'))).toMatchObject({ status: 404 })
    const { apiKey: another } = await operator.createOperator('bob')
    await as(at, another).operators()
    const bobs = (await operator.operators()).filter(({ name }) => name === 'bob')
    expect(bobs.map(({ status }) => status)).toEqual(['active', 'revoked'])
  })

  test('can be revoked again, which changes nothing', async () => {
    await operator.createOperator('twice')
    const ends = await Promise.all([1, 2, 3].map(() => operator.revokeOperator('twice')))
    expect(ends[0]).toMatchObject({ name: 'twice', status: 'revoked' })
    expect([...ends, await operator.revokeOperator('twice')]).toEqual(Array(4).fill(ends[0]))
    const { data } = await operator.audit({ limit: 2 })
    expect(data.map(({ action }) => action)).toEqual(['operator.revoked', 'operator.created'])
    await operator.createOperator('twice')
    expect(await operator.revokeOperator('twice')).not.toMatchObject({ id: ends[0]?.id })
  })

  test('gets a new key, with or without an overlap with the old one', async () => {
    const { apiKey } = await operator.createOperator('carol')
    const rotated = await operator.rotateOperatorKey('carol')
    await as(at, apiKey).operators()
    await as(at, rotated.apiKey).operators()
    const last = await operator.rotateOperatorKey('carol', { overlapSeconds: 0 })
    expect(await refusal(as(at, apiKey).operators())).toMatchObject(ENDED)
    expect(await refusal(as(at, rotated.apiKey).operators())).toMatchObject(ENDED)
    await as(at, last.apiKey).operators()
  })

  test('shows when its key was last used', async () => {
    const { apiKey } = await operator.createOperator('dave')
    const node = await at.node()
    await as(node, apiKey).operators()
    await node.close()
    const dave = (await operator.operators()).find(({ name }) => name === 'dave')
    expect(Date.parse(dave?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  test('has a name that no active operator has, and that fits into a path', async () => {
    await operator.createOperator('erin')
    for (const name of ['erin', 'settings', 'setup']) {
      expect(await refusal(operator.createOperator(name))).toMatchObject({ status: 409 })
    }
    for (const name of ['', 'a b', '../x', 'x'.repeat(64)]) {
      expect(await refusal(operator.createOperator(name))).toMatchObject({ status: 400 })
    }
  })

  test('cannot be revoked if it is the last one', async () => {
    const own = await startService()
    const { apiKey } = await own.operator.operator.createOperator('only')
    await own.node({ STANDING_OPERATOR_KEY: '' })
    const only = as(own, apiKey)
    expect(await refusal(only.revokeOperator('only'))).toMatchObject({ status: 409 })
    expect(await only.operators()).toMatchObject([
      { name: 'only', status: 'active' },
      { name: 'settings', status: 'revoked' },
    ])
  })

  test('and another one cannot revoke each other at the same time', async () => {
    const own = await startService()
    const keys = await Promise.all(
      ['alice', 'bob'].map((name) => own.operator.operator.createOperator(name)),
    )
    const other = await own.node({ STANDING_OPERATOR_KEY: '' })
    const [alice, bob] = keys.map(({ apiKey }, i) => as(i === 0 ? own : other, apiKey))
    // Both have looked before either has written.
    const pool = createPool({ url: own.database.url }, { max: 2 })
    atEnd(() => pool.end())
    const unlock = await holdLocks(pool, { text: 'select from operators for update' })
    const revoked = Promise.allSettled([alice?.revokeOperator('bob'), bob?.revokeOperator('alice')])
    await waitForLocks(pool, 2)
    await unlock()
    expect((await revoked).map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const left = (await revoked)[0]?.status === 'fulfilled' ? alice : bob
    const named = (await left?.operators())?.filter(({ name }) => name !== 'settings')
    expect(named?.map(({ status }) => status).sort()).toEqual(['active', 'revoked'])
  })
})

describe('the operator key of the settings', () => {
  test('replaces the previously configured one, which stops on every node', async () => {
    const own = await startService()
    const key = `avo_${'1'.repeat(32)}`
    const node = await own.node({ STANDING_OPERATOR_KEY: key })
    await as(node, key).operators()
    await eventually(async () => {
      expect(await refusal(own.operator.operator.operators())).toMatchObject(ENDED)
    })
    expect(await refusal(as(node, OPERATOR_KEY).operators())).toMatchObject(ENDED)
    // Set back, the earlier key works again and the later one has stopped.
    const back = await own.node({ STANDING_OPERATOR_KEY: OPERATOR_KEY })
    await as(back, OPERATOR_KEY).operators()
    expect(await refusal(as(back, key).operators())).toMatchObject(ENDED)
    const { data } = await as(back, OPERATOR_KEY).audit({ limit: 2 })
    expect(data.map(({ action }) => action)).toEqual([
      'operator.key_replaced',
      'operator.key_replaced',
    ])
  })

  test('keeps the time of its last use when it is replaced and set back', async () => {
    const own = await startService()
    const first = await own.node()
    await as(first, OPERATOR_KEY).operators()
    // A node writes it down when it stops.
    await first.close()
    const lastUsedAt = async (node: Pick<TestService, 'url'>) =>
      (await as(node, OPERATOR_KEY).operators()).flatMap(({ apiKeys }) =>
        apiKeys.flatMap((key) => (key.expiresAt === null ? [key.lastUsedAt] : [])),
      )
    const before = await lastUsedAt(own)
    expect(before).toEqual([expect.any(String)])
    await own.node({ STANDING_OPERATOR_KEY: newKey('operator') })
    expect(await lastUsedAt(await own.node())).toEqual(before)
  })

  test('stops when the service starts without it', async () => {
    const own = await startService()
    const { apiKey } = await own.operator.operator.createOperator('alice')
    const node = await own.node({ STANDING_OPERATOR_KEY: '' })
    expect(node.setupUrl, 'an operator is there already').toBeNull()
    expect(await refusal(as(node, OPERATOR_KEY).operators())).toMatchObject(ENDED)
    await as(node, apiKey).operators()
  })

  test('can be changed only in the settings', async () => {
    const refused = { status: 403, details: { reason: 'key_is_a_setting' } }
    expect(await refusal(operator.rotateOperatorKey('settings'))).toMatchObject(refused)
    expect(await refusal(operator.revokeOperator('settings'))).toMatchObject(refused)
  })

  test('can be that of a named operator, and then has that operator’s name', async () => {
    const own = await startService()
    const { apiKey } = await own.operator.operator.createOperator('alice')
    const node = await own.node({ STANDING_OPERATOR_KEY: apiKey })
    await as(node, apiKey).createPlatform({ name: 'Market' })
    const { data } = await as(node, apiKey).audit({ limit: 1 })
    expect(data).toMatchObject([{ actor: { name: 'alice' } }])
    expect(await refusal(as(node, OPERATOR_KEY).operators())).toMatchObject(ENDED)
  })

  test('is accepted once by nodes that start together', async () => {
    const own = await startService()
    const key = newKey('operator')
    const nodes = await Promise.all([1, 2, 3].map(() => own.node({ STANDING_OPERATOR_KEY: key })))
    for (const node of nodes) {
      expect(await as(node, key).operators()).toMatchObject([{ name: 'settings' }])
    }
  })
})
