import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Session } from './command.ts'

export interface LineOptions {
  /** Written on a terminal alone. */
  readonly prompt: string
  /** Whether a terminal does not show what is typed. */
  readonly isHidden: boolean
}

/** A line of standard input; null at its end, and without an input. */
export async function readLine(
  { stdin, stderr }: Pick<Session, 'stdin' | 'stderr'>,
  { prompt, isHidden }: LineOptions,
): Promise<string | null> {
  if (!stdin) {
    return null
  }
  const isTerminal = Boolean(stdin.isTTY)
  const lines = createInterface({
    input: stdin,
    // Reads the keys itself, and so shows nothing.
    terminal: isTerminal && isHidden,
    historySize: 0,
  })
  if (isTerminal) {
    stderr.write(prompt)
  }
  try {
    const ended = once(lines, 'close').then(() => [null] as const)
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as readonly [string | null]
    return line
  } finally {
    lines.close()
    if (isTerminal && isHidden) {
      stderr.write('\n')
    }
  }
}
