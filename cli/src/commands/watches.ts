import type { Watch } from '@standing/sdk'
import { callerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import type { CALLER_OPTIONS } from '../options.ts'
import { ID_WIDTH, row, showList } from '../output.ts'
import type { LIST_OPTIONS } from '../table/watches.ts'

type Input = InputOf<typeof CALLER_OPTIONS>

export async function add(
  { words: [agentId = ''], options }: Input,
  session: Session,
): Promise<number> {
  const watch = await callerOf(session, options).watches.add(agentId)
  session.show(watch, watchLine(watch))
  session.note('Subscriptions of your account get its notifications: standing webhook list')
  return 0
}

export async function list(
  { options }: InputOf<typeof LIST_OPTIONS>,
  session: Session,
): Promise<number> {
  return showList(callerOf(session, options).watches.list(), session, watchLine, options.limit)
}

export async function remove(
  { words: [agentId = ''], options }: Input,
  session: Session,
): Promise<number> {
  await callerOf(session, options).watches.remove(agentId)
  session.show({ agentId, removed: true }, `${agentId} is not watched any more`)
  return 0
}

function watchLine({ agentId, createdAt }: Watch): string {
  return row([agentId, `since ${createdAt}`], [ID_WIDTH])
}
