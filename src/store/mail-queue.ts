export type MailKind = 'password_reset' | 'email_confirmation' | 'invitation'

/** A mail to be sent. It has no token yet: that is created when the mail is. */
export interface MailRow {
  readonly id: string
  readonly kind: MailKind
  readonly address: string
  /** Of an invitation, otherwise null. */
  readonly invitationId: string | null
  readonly attempts: number
  readonly createdAt: number
}

export interface MailQueueStore {
  insert(mail: Omit<MailRow, 'attempts'>): Promise<void>
  /** Counts an attempt of the mail that is due first, and keeps other nodes from it until then. */
  claim(now: number, until: number): Promise<MailRow | null>
  /** Puts the next attempt off. */
  postpone(id: string, until: number): Promise<void>
  delete(id: string): Promise<void>
}
