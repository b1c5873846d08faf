import { readFile } from 'node:fs/promises'
import type { Credential } from '@standing/sdk'
import { isUuid } from '../../../src/domain/uuid.ts'
import { unreadableFile } from '../../../src/lib/user-error.ts'
import { callerOf, ownerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { confirm } from '../confirmed.ts'
import type { CALLER_OPTIONS } from '../options.ts'
import { ID_WIDTH, objectOf, row, showList } from '../output.ts'
import type { ISSUE_OPTIONS, LIST_OPTIONS, REVOKE_OPTIONS } from '../table/credentials.ts'

export async function issue(
  { words: [agentId = '', type = '', claims], options }: InputOf<typeof ISSUE_OPTIONS>,
  session: Session,
): Promise<number> {
  const credential = await ownerOf(session, options).credentials.issue({
    agentId,
    type,
    claims: objectOf('CLAIMS', claims),
    expiresAt: options.expires,
  })
  session.show(credential, `${credentialLine(credential)}\n${credential.jwt}`)
  return 0
}

export async function list(
  { words: [agentId = ''], options }: InputOf<typeof LIST_OPTIONS>,
  session: Session,
): Promise<number> {
  const { credentials } = ownerOf(session, options)
  const found = credentials.list({ agentId, status: options.status })
  return showList(found, session, credentialLine, options.limit)
}

export async function get(
  { words: [id = ''], options }: InputOf<typeof CALLER_OPTIONS>,
  session: Session,
): Promise<number> {
  const credential = await callerOf(session, options).credentials.get(id)
  session.show(
    credential,
    `${credentialLine(credential)}\n${JSON.stringify(credential.claims, null, 2)}\n${credential.jwt}`,
  )
  return 0
}

/** The exit code says whether it is valid. */
export async function verify(
  { words: [given = ''], options }: InputOf<typeof CALLER_OPTIONS>,
  session: Session,
): Promise<number> {
  const idOrJwt = await textOf(given)
  const verification = await callerOf(session, options).credentials.verify(idOrJwt)
  const { valid, status, claims, credential, checks } = verification
  const failed = Object.entries(checks).flatMap(([name, passed]) => (passed ? [] : [name]))
  session.show(
    verification,
    [
      valid ? `valid (${status})` : `NOT valid: ${status}; failed: ${failed.join(', ')}`,
      ...(credential ? [credentialLine(credential)] : []),
      ...(claims ? [JSON.stringify(claims)] : []),
    ].join('\n'),
  )
  return valid ? 0 : 1
}

/** A JWT begins with `{"` in base64url. */
const JWT_START = /^ey[\w.-]+$/

/** A file with the credential, or the credential or its id itself. @throws UserError for a file that cannot be read */
async function textOf(given: string): Promise<string> {
  if (isUuid(given.toLowerCase())) {
    return given
  }
  try {
    return (await readFile(given, 'utf8')).trim()
  } catch (error) {
    if (JWT_START.test(given)) {
      return given
    }
    throw unreadableFile(given, error)
  }
}

export async function revoke(
  { words: [id = ''], options, flags }: InputOf<typeof REVOKE_OPTIONS>,
  session: Session,
): Promise<number> {
  await confirm(session, flags, `This revokes credential ${id} permanently`)
  const credential = await ownerOf(session, options).credentials.revoke(id, options.reason)
  session.show(credential, credentialLine(credential))
  return 0
}

/** The longest status, so that columns line up. */
const WIDTHS = [ID_WIDTH, 'expired'.length]

function credentialLine({ id, status, type, agentId, expiresAt }: Credential): string {
  const until = expiresAt === null ? 'does not expire' : `until ${expiresAt}`
  return row([id, status, type, `agent ${agentId}`, until], WIDTHS)
}
