import { audit, auditAlone } from '../../audit/audit.ts'
import { issueKey } from '../../auth/rotate-key.ts'
import type { Context } from '../../context.ts'
import { testIdOf } from '../../domain/mode.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import * as testData from '../../identity/test-data.ts'
import { keysOf } from '../key-records.ts'
import { presentPlatform } from '../platforms/present.ts'
import { TEST_DATA_SPECS } from './spec.ts'

export function testDataRoutes(deps: Context): readonly Route[] {
  return bind(TEST_DATA_SPECS, deps, { createTestPlatform, deleteTestData })
}

type In<Name extends keyof typeof TEST_DATA_SPECS> = InputOf<(typeof TEST_DATA_SPECS)[Name]>

function createTestPlatform(deps: Context, input: In<'createTestPlatform'>) {
  const { caller, body, transact } = input
  const { name } = body
  return transact(async (within) => {
    const platform =
      caller.kind === 'owner'
        ? await testData.createOwnersPlatform(within, deps, testIdOf(caller.ownerId), name)
        : await testData.openTestPlatform(within, deps, testIdOf(caller.platformId), name)
    const apiKey = await issueKey(within, { kind: 'platform', id: platform.id }, deps.now())
    const keys = await keysOf(within, platform.id)
    const target = { kind: 'platform', id: platform.id }
    await audit(within, deps, caller, {
      action: 'platform.test_key_issued',
      target,
      details: { name: platform.name },
    })
    return created({ ...presentPlatform(platform, deps.now(), { keys }), apiKey })
  })
}

/** In parts, each a transaction of its own: an agent may have a long history. */
async function deleteTestData(deps: Context, { caller, respondOnce }: In<'deleteTestData'>) {
  return respondOnce(async () => {
    const deleted = await testData.deleteTestData(deps.store, testIdOf(caller.ownerId))
    const target = { kind: 'owner', id: caller.ownerId }
    await auditAlone(deps.store, deps, caller, {
      action: 'test_data.deleted',
      target,
      details: deleted,
    })
    return ok(deleted)
  })
}
