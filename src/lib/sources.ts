/** Time and ids are arguments, so that a test can choose them. */
export interface Sources {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A UUIDv7. */
  readonly newId: () => string
}
