import type { ManagedOwner, Standing, Tier } from '@standing/sdk'
import { UserError } from '../../../src/lib/user-error.ts'
import { operatorOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { showInvitation } from '../invitation.ts'
import type { OPERATOR_OPTIONS } from '../options.ts'
import { ID_WIDTH, row, showList } from '../output.ts'
import type { LIST_OPTIONS, STATUS_OPTIONS } from '../table/owners.ts'

type Input = InputOf<typeof OPERATOR_OPTIONS>
type StatusInput = InputOf<typeof STATUS_OPTIONS>

export async function list(
  { options }: InputOf<typeof LIST_OPTIONS>,
  session: Session,
): Promise<number> {
  const owners = operatorOf(session, options).operator.listOwners({ email: options.email })
  return showList(owners, session, ownerLine, options.limit)
}

export async function setTier(
  { words: [owner = '', tier = ''], options }: Input,
  session: Session,
): Promise<number> {
  const { operator } = operatorOf(session, options)
  const id = await ownerIdOf(operator, owner)
  const updated = await operator.setOwnerTier(id, tier as Tier)
  session.show(updated, `${updated.email} (${updated.id}) is now in tier ${updated.tier}`)
  return 0
}

export async function invite(
  { words: [email = ''], options }: Input,
  session: Session,
): Promise<number> {
  const invitation = await operatorOf(session, options).operator.inviteOwner(email)
  showInvitation(session, invitation)
  return 0
}

export async function resetLink(
  { words: [email = ''], options }: Input,
  session: Session,
): Promise<number> {
  const created = await operatorOf(session, options).operator.createResetLink(email)
  session.show(created, created.link)
  session.note(`The link works once, until ${created.expiresAt}.`)
  return 0
}

export function suspend(input: StatusInput, session: Session): Promise<number> {
  return setStatus(input, session, 'suspended')
}

export function activate(input: StatusInput, session: Session): Promise<number> {
  return setStatus(input, session, 'active')
}

async function setStatus(
  { words: [owner = ''], options }: StatusInput,
  session: Session,
  status: 'active' | 'suspended',
): Promise<number> {
  const { operator } = operatorOf(session, options)
  const id = await ownerIdOf(operator, owner)
  const updated = await operator.updateOwner(id, { status, reason: options.reason })
  session.show(updated, `${updated.email} (${updated.id}) is now ${updated.status}`)
  return 0
}

/** The id of an owner that is named by id, or by the e-mail of a person of the account. */
export async function ownerIdOf(operator: Standing['operator'], named: string): Promise<string> {
  if (!named.includes('@')) {
    return named
  }
  return (await ownerWith(operator, named)).id
}

/** The account of the person with this e-mail. @throws UserError where no person has it */
export async function ownerWith(
  operator: Standing['operator'],
  email: string,
): Promise<ManagedOwner> {
  const [owner] = (await operator.listOwners({ email })).data
  if (!owner) {
    throw new UserError(`No owner has the e-mail address ${email}.`)
  }
  return owner
}

/** The longest status and tier, so that columns line up. */
const WIDTHS = [ID_WIDTH, 'suspended'.length, 'platform'.length]

function ownerLine({ id, status, tier, email }: ManagedOwner): string {
  return row([id, status, tier, email], WIDTHS)
}
