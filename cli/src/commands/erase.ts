import type { Erasure } from '@standing/sdk'
import { pause } from '../../../src/lib/pause.ts'
import { operatorOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { confirm } from '../confirmed.ts'
import type { ERASE_OPTIONS } from '../table/owners.ts'
import { ownerWith } from './owners.ts'

/** How often the command asks whether the history is erased. */
const ASK_MS = 500

type Input = InputOf<typeof ERASE_OPTIONS>

export async function eraseOwner(
  { words: [email = ''], options, flags }: Input,
  session: Session,
): Promise<number> {
  await confirm(
    session,
    flags,
    `This erases the account of ${email} and all of its agents, and cannot be undone`,
  )
  const { operator } = operatorOf(session, options)
  const owner = await ownerWith(operator, email)
  const begun = await operator.eraseOwner(owner.id, owner.email)
  return finished(session, begun, () => operator.ownerErasure(owner.id))
}

export async function eraseAgent(
  { words: [id = ''], options, flags }: Input,
  session: Session,
): Promise<number> {
  await confirm(session, flags, `This erases agent ${id}, and cannot be undone`)
  const { agents } = operatorOf(session, options)
  const begun = await agents.erase(id)
  return finished(session, begun, () => agents.erasure(id))
}

async function finished(
  session: Session,
  begun: Erasure,
  ask: () => Promise<Erasure>,
): Promise<number> {
  let erasure = begun
  while (erasure.status === 'running') {
    await pause(ASK_MS, session.signal)
    erasure = await ask()
  }
  session.show(erasure, `erased: ${erasure.kind} ${erasure.subjectId}, at ${erasure.finishedAt}`)
  return 0
}
