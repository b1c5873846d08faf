import { call } from './client.ts'
import type { DeletedTestData, TestPlatform } from './types.ts'

export function createTestPlatform(name: string): Promise<TestPlatform> {
  return call('POST', '/v1/test-data/platforms', { body: { name } })
}

export function deleteTestData(): Promise<DeletedTestData> {
  return call('DELETE', '/v1/test-data')
}
