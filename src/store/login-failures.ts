/** Failed and successful sign-ins, by keyed hashes of e-mails and addresses. */
export interface LoginFailureStore {
  /**
   * Where one of these names failed at least `max` times after `since`: the time of the oldest of its
   * last `max` failures, otherwise null. With `lock` no other transaction counts or adds failures
   * under these names until this one ends.
   */
  oldestOf(names: readonly Uint8Array[], query: LoginFailureQuery): Promise<number | null>
  /** Adds a failure under each name, and deletes those of more than a day ago. */
  add(names: readonly Uint8Array[], at: number): Promise<void>
  /** Whether there was a success under this name after `since`. */
  hasSuccess(name: Uint8Array, since: number): Promise<boolean>
  /** Sets the time of the last success, and deletes successes before `since`. */
  addSuccess(name: Uint8Array, at: number, since: number): Promise<void>
}

export interface LoginFailureQuery {
  readonly since: number
  readonly max: number
  readonly lock?: boolean
}
