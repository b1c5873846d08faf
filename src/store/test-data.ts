/** Deletes test data. An id that is not of a test account or a test platform throws. */
export interface TestDataStore {
  /** Deletes an agent of the account with all its data; false when none is left. */
  deleteNextAgent(accountId: string): Promise<boolean>
  /**
   * Within a transaction: deletes what the account has besides agents: its platforms, with their keys, mappings and
   * statistics, and its webhooks, watches and policies. The platforms' reports stay with their agents.
   */
  deleteRest(accountId: string): Promise<{ readonly platforms: number; readonly webhooks: number }>
}
