/** Turns at work that one node does for the whole installation. */
export interface TurnStore {
  /**
   * Takes the turn of a job for so many milliseconds, by the clock of the database. False while the time of an
   * earlier turn is not over.
   */
  take(job: string, forMs: number): Promise<boolean>
  /** Ends the turn of a job: whoever asks next has it. */
  giveBack(job: string): Promise<void>
}
