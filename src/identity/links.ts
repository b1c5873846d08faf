import { newToken, tokenHashOf } from '../auth/one-time-token.ts'
import { invalidField, type TrustError } from '../domain/error.ts'
import { DAY_MS, HOUR_MS } from '../domain/time.ts'
import type { Sources } from '../lib/sources.ts'
import type { MemberRow, Store, TokenPurpose } from '../store/store.ts'

/** The pages that links of mails lead to. */
export const LINK_PATHS = {
  password_reset: '/reset-password',
  email_confirmation: '/confirm-email',
  invitation: '/invitation',
} as const

export function linkTo(baseUrl: string, kind: keyof typeof LINK_PATHS, token: string): string {
  return `${baseUrl}${LINK_PATHS[kind]}?token=${token}`
}

type LinkPurpose = Exclude<TokenPurpose, 'oidc_session'>

/** An hour is time enough to open a mail; a confirmation may wait over a weekend. */
const LIFETIME_MS: Readonly<Record<LinkPurpose, number>> = {
  password_reset: HOUR_MS,
  email_confirmation: 3 * DAY_MS,
}

/** A token for one member; the member's earlier tokens of this purpose end. */
export async function issueToken(
  within: Store,
  now: number,
  memberId: string,
  { purpose, isMailed }: { readonly purpose: LinkPurpose; readonly isMailed: boolean },
): Promise<{ readonly token: string; readonly expiresAt: number }> {
  const { token, hash } = newToken()
  const expiresAt = now + LIFETIME_MS[purpose]
  // Only the newest link works.
  await within.oneTimeTokens.deleteAll({ memberId, purpose })
  await within.oneTimeTokens.insert({
    hash,
    purpose,
    memberId,
    isMailed,
    createdAt: now,
    expiresAt,
  })
  return { token, expiresAt }
}

/** Whether the link still works. */
export async function isOpen(
  store: Store,
  { now }: Pick<Sources, 'now'>,
  purpose: TokenPurpose,
  token: string,
): Promise<boolean> {
  const found = await store.oneTimeTokens.find({ hash: tokenHashOf(token) })
  return found !== null && found.purpose === purpose && found.expiresAt > now()
}

/** Uses a token, once. @throws VALIDATION_ERROR for one that is used, replaced, expired or unknown */
export async function useToken(
  within: Store,
  { now }: Pick<Sources, 'now'>,
  purpose: TokenPurpose,
  token: string,
): Promise<{ readonly member: MemberRow; readonly isMailed: boolean }> {
  const found = await within.oneTimeTokens.delete({ hash: tokenHashOf(token) })
  if (found?.purpose !== purpose || found.expiresAt <= now()) {
    throw endedToken()
  }
  const member = await within.members.find({ id: found.memberId }, { lock: 'wait' })
  if (!member) {
    throw endedToken()
  }
  return { member, isMailed: found.isMailed }
}

export function endedToken(field = 'token'): TrustError {
  return invalidField(
    field,
    'is used, replaced, expired or unknown; ask for a new link',
    'invalid_token',
  )
}
