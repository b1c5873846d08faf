import type { InputOf, Session } from '../command.ts'
import { COMMANDS } from '../commands.ts'
import { COMPLETIONS } from '../completion.ts'

export async function completion(
  { words: [shell] }: InputOf<readonly []>,
  { say }: Session,
): Promise<number> {
  const script = COMPLETIONS[shell as keyof typeof COMPLETIONS]
  say(script(COMMANDS).trimEnd())
  return 0
}
