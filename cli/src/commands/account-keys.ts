import type { OwnerKey, OwnerKeyScope } from '@standing/sdk'
import { newKey } from '../../../src/auth/key-format.ts'
import type { KEY_KINDS } from '../choices.ts'
import { ownerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { confirm } from '../confirmed.ts'
import { showNewKey } from '../new-key.ts'
import type { ACCOUNT_OPTIONS } from '../options.ts'
import { ID_WIDTH, lastUse, row, showList } from '../output.ts'
import type { CREATE_OPTIONS, REVOKE_OPTIONS } from '../table/account-keys.ts'

type Input = InputOf<typeof ACCOUNT_OPTIONS>

export async function create(
  { words: [name = ''], options }: InputOf<typeof CREATE_OPTIONS>,
  session: Session,
): Promise<number> {
  // The service refuses a scope that it does not know.
  const scopes = (options.scopes ?? 'read').split(',') as OwnerKeyScope[]
  const input = { name, scopes, expiresAt: options.expires }
  const key = await ownerOf(session, options).keys.create(input)
  showNewKey(session, key, `${keyLine(key)}\n${key.apiKey}`)
  return 0
}

export async function list({ options }: Input, session: Session): Promise<number> {
  return showList(ownerOf(session, options).keys.list(), session, keyLine)
}

export async function revoke(
  { words: [id = ''], options, flags }: InputOf<typeof REVOKE_OPTIONS>,
  session: Session,
): Promise<number> {
  await confirm(session, flags, `This revokes the API key ${id} permanently`)
  const key = await ownerOf(session, options).keys.revoke(id)
  session.show(key, keyLine(key))
  return 0
}

/** A key of this service's form, for a setting; no service is asked. */
export async function createRandom(
  { words: [kind] }: InputOf<readonly []>,
  session: Session,
): Promise<number> {
  const key = newKey(kind as (typeof KEY_KINDS)[number])
  session.show({ key }, key)
  return 0
}

/** The longest status, so that columns line up. */
const WIDTHS = [ID_WIDTH, 'revoked'.length]

function keyLine({ id, name, status, scopes, lastUsedAt }: OwnerKey): string {
  return row([id, status, name, `(${scopes.join(', ')})`, lastUse(lastUsedAt)], WIDTHS)
}
