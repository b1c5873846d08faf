import { StandingError } from '@standing/sdk'
import { keyKindOf } from '../../../src/auth/key-format.ts'
import { UsageError } from '../../../src/lib/user-error.ts'
import { clientOf, serviceUrl } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { CredentialError } from '../exit-codes.ts'
import { identityOf } from '../identity.ts'
import { forgetLogins, type Login, storeLogin } from '../logins.ts'
import type { URL_OPTION } from '../options.ts'
import { counted } from '../output.ts'
import { inLine } from '../printable.ts'
import { readLine } from '../read-line.ts'
import type { LOGIN_OPTIONS } from '../table/service.ts'

export async function login(
  { words: [email], options }: InputOf<typeof LOGIN_OPTIONS>,
  session: Session,
): Promise<number> {
  const url = serviceUrl(session, options)
  const made =
    options.key === undefined ? await byPassword(url, email, session) : byKey(options.key)
  // A credential that does not work is not stored.
  const { name } = await identityOf(session, url, made)
  const { file, replaced } = storeLogin(session.env, url, made)
  session.show(
    { url, kind: made.kind, expiresAt: made.expiresAt },
    `Signed in to ${url} as ${made.kind}${name === null ? '' : ` ${inLine(name)}`}`,
  )
  const until = made.expiresAt === null ? '' : `, until ${made.expiresAt}`
  session.note(`Stored in ${file}${until}. standing logout forgets it.`)
  for (const { kind } of replaced.filter((one) => isKey(one) && one.secret !== made.secret)) {
    session.note(`It replaces the key of the ${kind} that was stored for this address.`)
  }
  return 0
}

/** A new session replaces the one before without a message. */
function isKey({ expiresAt }: Login): boolean {
  return expiresAt === null
}

async function byPassword(
  url: string,
  email: string | undefined,
  session: Session,
): Promise<Login> {
  if (email === undefined) {
    throw new UsageError('Give your e-mail address, or a key: standing login --key avo_…')
  }
  const password = await readPassword(session)
  const { auth } = clientOf(session, { baseUrl: url })
  try {
    const { token, expiresAt } = await auth.login({ email, password })
    return { kind: 'owner', secret: token, expiresAt }
  } catch (error) {
    throw isRefused(error) ? new CredentialError(wrongPassword(url, email)) : error
  }
}

function wrongPassword(url: string, email: string): string {
  return (
    `The e-mail or the password is wrong at ${url}. --url names another service.\n` +
    `The operator can print a link to a new password: standing owner reset-link ${email}`
  )
}

function isRefused(error: unknown): boolean {
  return error instanceof StandingError && error.status === 401
}

function byKey(key: string): Login {
  const kind = keyKindOf(key)
  if (kind === null) {
    throw new UsageError('--key is not a key: avo_… (operator), avp_…, avs_… (agent) or avw_….')
  }
  return { kind, secret: key, expiresAt: null }
}

async function readPassword(session: Session): Promise<string> {
  const password = await readLine(session, { prompt: 'Password: ', isHidden: true })
  if (!password) {
    throw new UsageError('The password is empty. It is one line of standard input.')
  }
  return password
}

export async function logout(
  { options }: InputOf<readonly [typeof URL_OPTION]>,
  session: Session,
): Promise<number> {
  const url = serviceUrl(session, options)
  // Removed first: a service that cannot be reached leaves no token on this machine.
  const removed = forgetLogins(session.env, url)
  const forgotten = removed.length
  session.note(`Removed ${counted(forgotten, 'credential')} for ${url}.`)
  const token = removed.find(({ kind, expiresAt }) => kind === 'owner' && expiresAt !== null)
  const ended = token !== undefined && (await endSession(session, url, token))
  session.show({ url, forgotten, ended }, ended ? 'The session has ended.' : 'No session to end.')
  return 0
}

/** Ends the session of a token; false where it had ended already. */
async function endSession(
  session: Session,
  baseUrl: string,
  { secret: token, expiresAt }: Login,
): Promise<boolean> {
  const { auth } = clientOf(session, { baseUrl, token })
  try {
    for await (const { id, isCurrent } of auth.sessions()) {
      if (isCurrent) {
        await auth.endSession(id)
        return true
      }
    }
    return false
  } catch (error) {
    if (isRefused(error)) {
      return false
    }
    session.note(`The session was not ended at the service. It ends by itself at ${expiresAt}.`)
    throw error
  }
}
