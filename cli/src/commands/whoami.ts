import { StandingError } from '@standing/sdk'
import { keyKindOf } from '../../../src/auth/key-format.ts'
import { credentialsOf, serviceUrl } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { exitCode } from '../exit-codes.ts'
import { type Identity, identityOf } from '../identity.ts'
import { loginsAt } from '../logins.ts'
import type { CALLER_OPTIONS } from '../options.ts'
import { paint } from '../output.ts'
import { inLine } from '../printable.ts'

export async function whoami(
  { options }: InputOf<typeof CALLER_OPTIONS>,
  session: Session,
): Promise<number> {
  const url = serviceUrl(session, options)
  session.note(url)
  const { apiKey, token, operatorKey } = credentialsOf(session, options)
  const secrets = [apiKey, token, operatorKey].filter((secret) => secret !== undefined)
  if (secrets.length === 0) {
    session.note('No credential: standing login EMAIL, or standing login --key KEY')
    return exitCode('credential')
  }
  let all = true
  for (const secret of secrets) {
    const kind = keyKindOf(secret) ?? 'owner'
    const identity = await workingIdentity(session, url, { kind, secret })
    const stored = loginsAt(session.env, url).find((one) => one.secret === secret)
    const expiresAt = stored?.expiresAt ?? null
    const { name = null, id = null } = identity ?? {}
    session.show(
      { url, kind, works: identity !== null, name, id, expiresAt },
      [
        kind.padEnd('operator'.length),
        identity ? paint(session, 'green', 'works') : paint(session, 'red', 'does not work'),
        ...(name === null ? [] : [inLine(name)]),
        ...(expiresAt === null ? [] : [`until ${expiresAt}`]),
      ].join('  '),
    )
    all &&= identity !== null
  }
  return all ? 0 : exitCode('credential')
}

/** Null where the service refuses the credential. @throws StandingError where it does not answer */
async function workingIdentity(...args: Parameters<typeof identityOf>): Promise<Identity | null> {
  try {
    return await identityOf(...args)
  } catch (error) {
    if (error instanceof StandingError && (error.status === 401 || error.status === 403)) {
      return null
    }
    throw error
  }
}
