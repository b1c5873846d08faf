/** Which events may be archived. Times are milliseconds since the epoch. */
export interface ArchiveBounds {
  /** Only events received before this. */
  readonly before: number
  /** A decision to uphold made after this may still be appealed. */
  readonly appealableSince: number
  /**
   * Fewer events than this stay until there are more, unless they fill a part that was begun, or the first was
   * received before `overdueBefore`.
   */
  readonly partMin: number
  readonly overdueBefore: number
}

/**
 * Old events in compressed parts. They are read like other events. A search over all agents, by reporter or by
 * the findings of rules, does not find them.
 */
export interface ArchiveStore {
  /** Of these agents, those with an event received before that is not archived. */
  due(agentIds: readonly string[], before: number): Promise<readonly string[]>
  /**
   * Within a transaction: archives the next events of an agent that are final, at most a part. How many; 0
   * where none is due, or while another transaction has the agent.
   */
  addNext(agentId: string, bounds: ArchiveBounds): Promise<number>
}
