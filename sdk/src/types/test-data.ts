import type { Schema } from '../schema.ts'

export interface TestPlatform extends Schema<'TestPlatform'> {}
export interface DeletedTestData extends Schema<'DeletedTestData'> {}
