import type { ById, Due, Rows } from './rows.ts'

export type MailKind = 'password_reset' | 'email_confirmation' | 'invitation'

/** A mail to be sent. It has no token yet: that is created when the mail is. */
export interface MailRow {
  readonly id: string
  readonly kind: MailKind
  readonly address: string
  /** Of an invitation, otherwise null. */
  readonly invitationId: string | null
  readonly attempts: number
  /** While a node sends it: when another node may try. */
  readonly nextAttemptAt: number
  readonly createdAt: number
}

/** Mails to be sent; a claim counts an attempt of each. One that was sent is deleted. */
export type MailQueueStore = Pick<Rows<MailRow, ById>, 'insert' | 'update' | 'delete'> &
  Due<MailRow>
