import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { clientOf, serviceUrl } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { identityOf, kindOf } from '../identity.ts'
import { forgetLogins, type Login, storeLogin } from '../logins.ts'
import type { URL_OPTION } from '../options.ts'
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
  const file = storeLogin(session.env, url, made)
  session.show(
    { url, kind: made.kind, expiresAt: made.expiresAt },
    `Logged in to ${url} as ${made.kind}${name === null ? '' : ` ${name}`}`,
  )
  const until = made.expiresAt === null ? '' : `, until ${made.expiresAt}`
  session.note(`Stored in ${file}${until}. standing logout forgets it.`)
  return 0
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
  const { token, expiresAt } = await clientOf(session, { baseUrl: url }).auth.login({
    email,
    password,
  })
  return { kind: 'owner', secret: token, expiresAt }
}

function byKey(key: string): Login {
  const kind = kindOf(key)
  if (kind === null) {
    throw new UsageError('--key is not a key: avo_… (operator), avp_…, avs_… (agent) or avw_….')
  }
  return { kind, secret: key, expiresAt: null }
}

/** A line of standard input; on a terminal what is typed is not shown. */
async function readPassword({ stdin, stderr }: Session): Promise<string> {
  if (!stdin) {
    throw new UsageError('The password is read from standard input, and there is none.')
  }
  const lines = createInterface({ input: stdin, terminal: Boolean(stdin.isTTY), historySize: 0 })
  if (stdin.isTTY) {
    stderr.write('Password: ')
  }
  try {
    const ended = once(lines, 'close').then(() => [''] as const)
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as readonly [string]
    return line
  } finally {
    lines.close()
    if (stdin.isTTY) {
      stderr.write('\n')
    }
  }
}

export async function logout(
  { options }: InputOf<readonly [typeof URL_OPTION]>,
  session: Session,
): Promise<number> {
  const url = serviceUrl(session, options)
  const forgotten = forgetLogins(session.env, url)
  session.show({ url, forgotten }, `${forgotten} credentials for ${url} were removed`)
  return 0
}
