import type { InputOf, Session } from '../command.ts'
import { COMMANDS } from '../commands.ts'
import { COMPLETIONS } from '../completion.ts'
import { UsageError } from '../exit-codes.ts'

export async function completion(
  { words: [shell = ''] }: InputOf<readonly []>,
  { say }: Session,
): Promise<number> {
  const script = COMPLETIONS[shell]
  if (!script) {
    throw new UsageError(
      `${shell} is no shell that is known: ${Object.keys(COMPLETIONS).join(', ')}.`,
    )
  }
  say(script(COMMANDS).trimEnd())
  return 0
}
