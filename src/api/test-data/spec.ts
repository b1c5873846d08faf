import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { Platform } from '../platforms/schema.ts'
import { ApiKey, GivenName } from '../wire.ts'

const Name = GivenName.openapi({ example: 'My integration' })

const CreateTestPlatformBody = z
  .strictObject({ name: Name.default('Test platform') })
  .openapi('CreateTestPlatform')

const TestPlatform = Platform.extend({
  apiKey: ApiKey.openapi({ example: 'avp_test_0123456789ABCDEFGHIJKLMNOPQRSTUV0abcde' }),
}).openapi('TestPlatform')

const Deleted = z
  .object({
    agents: z.int().min(0).openapi({ example: 3 }),
    platforms: z.int().min(0).openapi({ example: 1 }),
    webhooks: z.int().min(0).openapi({ example: 1 }),
  })
  .openapi('DeletedTestData')

export const TEST_DATA_SPECS = {
  createTestPlatform: {
    method: 'post',
    path: '/v1/test-data/platforms',
    tag: 'Testing',
    summary: 'Create a platform for test data, and its key',
    description:
      'Owners and platforms, in either mode. The key (`avp_test_…`) is shown only in this response. It ' +
      'reports on test agents, those of other owners too, at the full weight of an independent platform ' +
      'that is verified, and moves no live score. A platform has one test platform: another request ' +
      'returns a new key for it, ends the previous key and keeps the name. ' +
      '`FORBIDDEN` with `details.limit` `max_test_platforms` when an owner has ten.',
    callers: ['owner', 'platform'],
    body: CreateTestPlatformBody,
    responses: { 201: { description: 'The platform and its key', schema: TestPlatform } },
  },
  deleteTestData: {
    method: 'delete',
    path: '/v1/test-data',
    tag: 'Testing',
    summary: "Delete all of the owner's test data",
    description:
      'Owner only, in either mode. Deletes the test agents with their events, scores and credentials, ' +
      'the test platforms, webhooks and policies. Their keys stop working. Live data is not touched, and ' +
      'nothing deleted comes back. Entries in the audit log stay.',
    callers: ['owner'],
    responses: { 200: { description: 'How much was deleted', schema: Deleted } },
  },
} as const satisfies RouteSpecs
