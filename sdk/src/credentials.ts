import { invalidCall } from './error.ts'
import type { CredentialKind, CredentialOptions } from './options.ts'

const KINDS: readonly CredentialKind[] = ['apiKey', 'token', 'operatorKey']

/** What each is, for messages. */
const MEANING: Readonly<Record<CredentialKind, string>> = {
  token: "token (an owner's JWT or avw_ key)",
  apiKey: "apiKey (a platform's avp_ or an agent's avs_ key)",
  operatorKey: 'operatorKey (avo_)',
}

/**
 * The credentials by their kind, whatever option they were given in: a key's prefix names its kind.
 * @throws StandingError `INVALID_CALL` where one is not a credential, or two of a kind differ
 */
export function credentialsOf(options: CredentialOptions): CredentialOptions {
  const found: { -readonly [Kind in CredentialKind]?: string } = {}
  const givenAs: { [Kind in CredentialKind]?: CredentialKind } = {}
  for (const option of KINDS) {
    const given: unknown = options[option]
    if (given === undefined) {
      continue
    }
    const credential = typeof given === 'string' ? given.trim() : ''
    if (!/^[\x21-\x7e]+$/.test(credential)) {
      throw invalidCall(`${option} is empty, or has characters that no credential has`)
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
  if (/^av[sp]_/.test(credential)) {
    return 'apiKey'
  }
  if (credential.startsWith('avo_')) {
    return 'operatorKey'
  }
  if (credential.startsWith('avw_')) {
    return 'token'
  }
  // A JWT: three parts, of which the first is JSON and so begins with `{"`.
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(credential) ? 'token' : undefined
}

/**
 * The first that the client has of those a call goes with, or else any other: the service's answer
 * says what it needs instead. Undefined where the call, or the client, is anonymous.
 */
export function chosen(
  credentials: CredentialOptions,
  as: readonly CredentialKind[],
  isTest: boolean,
): CredentialKind | undefined {
  if (as.length === 0 && !isTest) {
    return undefined
  }
  return [...as, ...KINDS].find((kind) => credentials[kind] !== undefined)
}
