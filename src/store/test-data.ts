/** Deletes what was only tried. Ids name a test account or a test platform: others throw. */
export interface TestDataStore {
  /** Deletes an agent of the account with all that is about it; false when none is left. */
  deleteNextAgent(accountId: string): Promise<boolean>
  /** Deletes a platform with its keys, mappings and statistics. Its reports stay with their agents. */
  deletePlatform(platformId: string, now: number): Promise<void>
  /** Deletes the webhooks, watches and policies of an account. How many webhooks. */
  deleteSettings(accountId: string, now: number): Promise<number>
}
