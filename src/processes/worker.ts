/** Which of the processes that serve one address this is. */
export interface Worker {
  /** From 1 on. A worker that replaces another one has its number. */
  readonly number: number
  /** All workers share it: any of them may be asked for the page that the set-up link names. */
  readonly setupToken: string
  /** Where the first worker takes the reports of the others; null where each records its own. */
  readonly reportSocket: string | null
}
