import type { MemberRow } from './members.ts'
import type { Page } from './types.ts'

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

/** Which sessions have not ended by time. */
export interface SessionFilter {
  readonly expiresAfter: number
  readonly usedAfter: number
}

export interface SessionStore {
  insert(session: SessionRow): Promise<void>
  /** Null for a session that was ended, alone or with all of its member. */
  find(id: string): Promise<MemberSession | null>
  /** Those of the member that have not ended, newest first. */
  list(
    memberId: string,
    filter: SessionFilter,
    before: string | null,
    limit: number,
  ): Promise<Page<SessionRow>>
  /** Ends a session. False where the member has none with this id. */
  end(id: string, memberId: string): Promise<boolean>
}
