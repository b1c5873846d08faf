/** Deletes test data. An id that is not of a test account or a test platform throws. */
export interface TestDataStore {
  /** Deletes an agent of the account with all its data; false when none is left. */
  deleteNextAgent(accountId: string): Promise<boolean>
  /** Deletes a platform with its keys, mappings and statistics. Its reports stay with their agents. */
  deletePlatform(platformId: string): Promise<void>
  /** Deletes the webhooks, watches and policies of an account. How many webhooks. */
  deleteSettings(accountId: string): Promise<number>
}
