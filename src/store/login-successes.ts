import type { Rows } from './rows.ts'

/** The last sign-in of a person from an address. */
export interface LoginSuccess {
  /** A keyed hash of the e-mail and the address together. */
  readonly name: Uint8Array
  readonly at: number
}

export type LoginSuccessStore = Pick<
  Rows<LoginSuccess, Pick<LoginSuccess, 'name'>>,
  'save' | 'find'
>
