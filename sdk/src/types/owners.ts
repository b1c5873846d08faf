import type { Tier, Timestamp } from './wire.ts'

export interface Owner {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly tier: Tier
  readonly createdAt: Timestamp
}
export interface Session {
  readonly owner: Owner
  /** The JWT for `new Standing({ token })`. */
  readonly token: string
  readonly expiresAt: Timestamp
}
export interface OwnerRegistration {
  readonly email: string
  /** 12 to 128 characters. */
  readonly password: string
  readonly name?: string | undefined
}
export interface PasswordChange {
  readonly currentPassword: string
  readonly newPassword: string
}
