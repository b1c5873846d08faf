/** Turns at work that one node does for the whole installation. */
export interface TurnStore {
  /**
   * Takes the turn of a job for so many milliseconds, and returns until when, by the clock of the database. Null while
   * the time of an earlier turn is not over.
   */
  take(job: string, forMs: number): Promise<number | null>
  /** Ends the turn of a job that was taken until then, so that the next node that asks has it. A later turn stays. */
  giveBack(job: string, until: number): Promise<void>
}
