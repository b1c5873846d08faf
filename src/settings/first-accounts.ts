import { UserError } from '../lib/user-error.ts'
import type { Get } from './values.ts'

/** The accounts that the first start of an installation creates without a person. */
export interface FirstAccounts {
  readonly owner: {
    readonly email: string
    readonly password: string
    /** `avw_…`; null for none. */
    readonly key: string | null
  } | null
  readonly platform: { readonly name: string; readonly key: string } | null
}

/** Each account completely or not at all: half of one could not be used. @throws UserError */
export function firstAccounts(get: Get): FirstAccounts {
  return { owner: firstOwner(get), platform: firstPlatform(get) }
}

function firstOwner(get: Get): FirstAccounts['owner'] {
  const email = get('STANDING_INIT_OWNER_EMAIL')
  const password = get('STANDING_INIT_OWNER_PASSWORD')
  const key = get('STANDING_INIT_OWNER_KEY')
  if (email && password) {
    return { email, password, key }
  }
  if (!email && !password && !key) {
    return null
  }
  throw new UserError(
    'STANDING_INIT_OWNER_EMAIL and STANDING_INIT_OWNER_PASSWORD must be set together.',
  )
}

function firstPlatform(get: Get): FirstAccounts['platform'] {
  const name = get('STANDING_INIT_PLATFORM_NAME')
  const key = get('STANDING_INIT_PLATFORM_KEY')
  if (name && key) {
    return { name, key }
  }
  if (!name && !key) {
    return null
  }
  throw new UserError(
    'STANDING_INIT_PLATFORM_NAME and STANDING_INIT_PLATFORM_KEY must be set together.',
  )
}
