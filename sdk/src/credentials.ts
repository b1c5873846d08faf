import { invalidCall } from './error.ts'

export interface CredentialOptions {
  /** An agent's (`avs_`) or a platform's (`avp_`) key. */
  readonly apiKey?: string | undefined
  /** An owner's JWT, from `auth.register` or `auth.login`. */
  readonly token?: string | undefined
  /** The operator's (`avo_`) key. */
  readonly operatorKey?: string | undefined
}

/** Which of the client's credentials a call goes with. */
export type CredentialKind = keyof CredentialOptions

const KINDS: readonly CredentialKind[] = ['apiKey', 'token', 'operatorKey']

/** What each is, for those who have to be told. */
const MEANING: Readonly<Record<CredentialKind, string>> = {
  token: "token (an owner's JWT)",
  apiKey: "apiKey (a platform's avp_ or an agent's avs_ key)",
  operatorKey: 'operatorKey (avo_)',
}

/**
 * The credentials as what they are, whatever option they were given in: every key says so itself.
 * @throws StandingError `INVALID_CALL` where one is none, or two of a kind differ
 */
export function credentialsOf(options: CredentialOptions): CredentialOptions {
  const found: { -readonly [Kind in CredentialKind]?: string } = {}
  const givenAs: { [Kind in CredentialKind]?: CredentialKind } = {}
  for (const option of KINDS) {
    const given = options[option]
    if (given === undefined) continue
    const credential = given.trim()
    if (!/^[\x21-\x7e]+$/.test(credential)) {
      throw invalidCall(`${option} is empty, or holds what no credential does`)
    }
    const kind = kindOf(credential) ?? option
    if (found[kind] !== undefined && found[kind] !== credential) {
      throw invalidCall(`${givenAs[kind]} and ${option} are two different ${MEANING[kind]}`)
    }
    found[kind] = credential
    givenAs[kind] = option
  }
  return found
}

function kindOf(credential: string): CredentialKind | undefined {
  if (/^av[sp]_/.test(credential)) return 'apiKey'
  if (credential.startsWith('avo_')) return 'operatorKey'
  // A JWT: three parts, of which the first is JSON and so begins with `{"`.
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(credential) ? 'token' : undefined
}

/**
 * The first of those a call goes with that there is, or else any other: the service says best what
 * it wants instead. Undefined where the call, or the client, is anonymous.
 */
export function chosen(
  credentials: CredentialOptions,
  as: readonly CredentialKind[],
): CredentialKind | undefined {
  if (as.length === 0) return undefined
  return [...as, ...KINDS].find((kind) => credentials[kind] !== undefined)
}
