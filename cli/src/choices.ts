import type { CredentialStatus, Role, SigningPurpose, Tier, Webhook } from '@standing/sdk'

export const TIERS = ['free', 'growth', 'platform'] as const satisfies readonly Tier[]

export const ROLES = ['admin', 'member', 'viewer'] as const satisfies readonly Role[]

export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** The keys that a setting can hold. An agent's key is made with the agent. */
export const KEY_KINDS = ['operator', 'owner', 'platform'] as const

export const PURPOSES = [
  'credentials',
  'receipts',
  'tokens',
  'test',
] as const satisfies readonly SigningPurpose[]

export const CREDENTIAL_STATUSES = [
  'active',
  'expired',
  'revoked',
] as const satisfies readonly CredentialStatus[]

export const FORMATS = [
  'standard',
  'slack',
  'teams',
  'discord',
  'mail',
] as const satisfies readonly Webhook['format'][]

/** The words that an operand takes, by its name. Operands that are not here take any word. */
export const OPERAND_CHOICES: Readonly<Record<string, readonly string[]>> = {
  KIND: KEY_KINDS,
  ROLE: ROLES,
  SHELL: SHELLS,
  TIER: TIERS,
}
