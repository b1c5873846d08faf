import { UsageError, UserError } from '../../src/lib/user-error.ts'
import type { Session } from './command.ts'
import { readLine } from './read-line.ts'

/**
 * For what cannot be undone: asks the person at the terminal. Without a terminal, `--yes` is needed.
 *
 * @param effect what the command does: a sentence without its full stop
 * @throws UserError unless it is confirmed: then nothing is done
 */
export async function confirm(
  session: Session,
  flags: ReadonlySet<string>,
  effect: string,
): Promise<void> {
  if (!flags.has('yes') && !isAtTerminal(session)) {
    throw new UsageError(`${effect}. Add --yes to do it.`)
  }
  await confirmAtTerminal(session, flags, effect)
}

/** As `confirm`, for a command that programs run without `--yes`. */
export async function confirmAtTerminal(
  session: Session,
  flags: ReadonlySet<string>,
  effect: string,
): Promise<void> {
  if (flags.has('yes') || !isAtTerminal(session)) {
    return
  }
  const prompt = `${effect}. Type yes to do it: `
  const answer = await readLine(session, { prompt, isHidden: false })
  if (answer?.trim().toLowerCase() !== 'yes') {
    throw new UserError('Nothing was done.')
  }
}

/** Whether a person can read the question, and answer it. */
function isAtTerminal({ stdin, stderr }: Session): boolean {
  return stdin?.isTTY === true && stderr.isTTY === true
}
