/** What an owner's API key may be allowed. Each scope stands alone: none includes another. */
export const SCOPES = ['read', 'report', 'manage'] as const
export type Scope = (typeof SCOPES)[number]

/** The roles of the people who share an account. */
export const ROLES = ['admin', 'member', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/**
 * What an operation requires of an owner's credential. Beside the scopes: `admin`, for the account itself
 * and for who may use it, and `session`, for a person's own sign-in. No API key has these two, so a
 * leaked key creates no other key and changes no password.
 */
export const PERMISSIONS = [...SCOPES, 'admin', 'session'] as const
export type Permission = (typeof PERMISSIONS)[number]

export const PERMISSIONS_OF_ROLE: Readonly<Record<Role, readonly Permission[]>> = {
  admin: PERMISSIONS,
  member: ['read', 'report', 'manage', 'session'],
  viewer: ['read', 'session'],
}
