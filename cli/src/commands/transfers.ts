import type { Transfer } from '@standing/sdk'
import { ownerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { showNewKey } from '../new-key.ts'
import type { OWNER_OPTIONS } from '../options.ts'
import { ID_WIDTH, row, showList } from '../output.ts'
import { inLine } from '../printable.ts'
import type { LIST_OPTIONS, OFFER_OPTIONS } from '../table/transfers.ts'

export async function offer(
  { words: [id = ''], options }: InputOf<typeof OFFER_OPTIONS>,
  session: Session,
): Promise<number> {
  const { to } = options
  const input = to.includes('@') ? { toOwnerEmail: to } : { toOwnerId: to }
  const transfer = await ownerOf(session, options).transfers.offer(id, input)
  session.show(transfer, lineOf(transfer))
  return 0
}

export async function list(
  { options }: InputOf<typeof LIST_OPTIONS>,
  session: Session,
): Promise<number> {
  return showList(ownerOf(session, options).transfers.list(), session, lineOf, options.limit)
}

type OneInput = InputOf<typeof OWNER_OPTIONS>

export async function accept(
  { words: [id = ''], options }: OneInput,
  session: Session,
): Promise<number> {
  const accepted = await ownerOf(session, options).transfers.accept(id)
  const { agent, apiKey } = accepted
  const name = inLine(agent.displayName)
  showNewKey(session, accepted, `agent  ${agent.id}  ${name}\nkey    ${apiKey}`)
  return 0
}

export async function decline(
  { words: [id = ''], options }: OneInput,
  session: Session,
): Promise<number> {
  const transfer = await ownerOf(session, options).transfers.decline(id)
  session.show(transfer, lineOf(transfer))
  return 0
}

export async function withdraw(
  { words: [id = ''], options }: OneInput,
  session: Session,
): Promise<number> {
  const transfer = await ownerOf(session, options).transfers.withdraw(id)
  session.show(transfer, lineOf(transfer))
  return 0
}

/** The longest status, so that columns line up. */
const WIDTHS = [ID_WIDTH, 'withdrawn'.length, ID_WIDTH]

function lineOf({ id, agentId, status, toOwnerId, toOwnerEmail, expiresAt }: Transfer): string {
  return row([id, status, agentId, `to ${toOwnerId ?? toOwnerEmail ?? '-'}`, expiresAt], WIDTHS)
}
