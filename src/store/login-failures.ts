import type { Inserted } from './rows.ts'

export interface LoginFailure {
  /** A keyed hash of an e-mail or an address. */
  readonly name: Uint8Array
  readonly at: number
}

/** Failed sign-ins. */
export interface LoginFailureStore extends Inserted<LoginFailure> {
  /**
   * Where one of these names failed at least `max` times after `since`: the time of the oldest of its
   * last `max` failures, otherwise null. With `lock` no other transaction counts or adds failures
   * under these names until this one ends.
   */
  oldestOf(names: readonly Uint8Array[], query: LoginFailureQuery): Promise<number | null>
}

export interface LoginFailureQuery {
  readonly since: number
  readonly max: number
  readonly lock?: boolean
}
