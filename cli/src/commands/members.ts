import type { Member, Role } from '@standing/sdk'
import { ownerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { showInvitation } from '../invitation.ts'
import type { ACCOUNT_OPTIONS } from '../options.ts'
import { ID_WIDTH, row, showList } from '../output.ts'
import type { INVITE_OPTIONS } from '../table/members.ts'

type Input = InputOf<typeof ACCOUNT_OPTIONS>

export async function invite(
  { words: [email = ''], options }: InputOf<typeof INVITE_OPTIONS>,
  session: Session,
): Promise<number> {
  const { role = 'member' } = options
  const invitation = await ownerOf(session, options).invitations.create({ email, role })
  showInvitation(session, invitation)
  return 0
}

export async function list({ options }: Input, session: Session): Promise<number> {
  return showList(ownerOf(session, options).members.list(), session, memberLine)
}

export async function setRole(
  { words: [id = '', role], options }: Input,
  session: Session,
): Promise<number> {
  const member = await ownerOf(session, options).members.update(id, { role: role as Role })
  session.show(member, memberLine(member))
  return 0
}

export async function remove(
  { words: [id = ''], options }: Input,
  session: Session,
): Promise<number> {
  await ownerOf(session, options).members.remove(id)
  session.show({ id, removed: true }, `${id} is removed`)
  return 0
}

/** The longest role, so that columns line up. */
const WIDTHS = [ID_WIDTH, 'viewer'.length]

function memberLine({ id, email, role, isOwner }: Member): string {
  return row([id, role, `${email}${isOwner ? '  (owner)' : ''}`], WIDTHS)
}
