import type { Lookup } from '@standing/sdk'
import { callerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import type { CALLER_OPTIONS } from '../options.ts'
import { counted } from '../output.ts'
import { inLine } from '../printable.ts'

export async function lookup(
  { words: [identifier = ''], options }: InputOf<typeof CALLER_OPTIONS>,
  session: Session,
): Promise<number> {
  const found = await callerOf(session, options).lookup.get(identifier)
  session.show(found, describe(found))
  return found.match === 'verified' ? 0 : 1
}

function describe({ identifier, match, agent, score }: Lookup): string {
  if (match === 'verified' && agent && score) {
    const { classification, confidence, eventCount } = score
    return (
      `${identifier} is ${inLine(agent.displayName)} (${agent.id}, ${agent.status})\n` +
      `score ${score.score} (${classification}), ${confidence} confidence, ${counted(eventCount, 'event')}`
    )
  }
  return match === 'claimed'
    ? `${identifier} is claimed, and not proven by anyone`
    : `${identifier} is not known`
}
