import type { MemberRow } from './members.ts'
import type { ById, Listed, Rows } from './rows.ts'

/** A sign-in of a member, which one token stands for. */
export interface SessionRow {
  /** The `jti` of the token. */
  readonly id: string
  readonly memberId: string
  /** The token epoch of the member at the sign-in. The session ends when the member's is another. */
  readonly epoch: number
  readonly createdAt: number
  readonly lastUsedAt: number
  readonly expiresAt: number
}

/** A session with its person. */
export interface MemberSession {
  readonly session: SessionRow
  readonly member: MemberRow
}

/** The sessions of a member that have not ended by time. */
export interface OpenSessions {
  readonly memberId: string
  readonly expiresAfter: number
  readonly usedAfter: number
}

/** Sessions, found with their persons. One that is ended is deleted; it may also be ended with all of its member. */
export type SessionStore = Pick<Rows<MemberSession, ById, never>, 'find'> &
  Pick<Rows<SessionRow, Pick<SessionRow, 'id' | 'memberId'>>, 'insert' | 'delete'> &
  Listed<SessionRow, OpenSessions>
