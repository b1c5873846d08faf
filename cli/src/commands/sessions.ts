import type { ActiveSession } from '@standing/sdk'
import { ownerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import type { ACCOUNT_OPTIONS } from '../options.ts'
import { showList } from '../output.ts'

type Input = InputOf<typeof ACCOUNT_OPTIONS>

export async function list({ options }: Input, session: Session): Promise<number> {
  return showList(ownerOf(session, options).auth.sessions(), session, sessionLine)
}

export async function end({ words: [id = ''], options }: Input, session: Session): Promise<number> {
  await ownerOf(session, options).auth.endSession(id)
  session.show({ id, ended: true }, `${id} has ended`)
  return 0
}

function sessionLine({ id, createdAt, lastUsedAt, isCurrent }: ActiveSession): string {
  const current = isCurrent ? '  (this sign-in)' : ''
  return `${id}  since ${createdAt}  last used ${lastUsedAt}${current}`
}
