import type { ById, Rows } from './rows.ts'

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

/** Mails to be sent. One that was sent is deleted. */
export interface MailQueueStore extends Pick<Rows<MailRow, ById>, 'insert' | 'update' | 'delete'> {
  /** Counts an attempt of the mail that is due first, and keeps other nodes from it until then. */
  claim(now: number, until: number): Promise<MailRow | null>
}
