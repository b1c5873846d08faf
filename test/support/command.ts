import { PassThrough } from 'node:stream'
import { run } from '../../cli/src/run.ts'

export interface Typed {
  readonly code: number
  /** What it wrote to either stream, in order. */
  readonly said: string
  /** The result alone. */
  readonly out: string
}

type Env = Readonly<Record<string, string>>

/**
 * Runs commands of `standing` as typed, as words or as a line in which quotes hold words together. With an answer they
 * run on a terminal, where it is typed when the command asks.
 */
export function commandIn(env: Env) {
  return async (
    words: string | readonly string[],
    more: Env = {},
    answer: string | null = null,
  ): Promise<Typed> => {
    const all: string[] = []
    const out: string[] = []
    const args = typeof words === 'string' ? wordsOf(words) : words
    const code = await run(args, {
      env: { ...env, ...more },
      say: (line) => {
        all.push(`${line}\n`)
        out.push(`${line}\n`)
      },
      stderr: { isTTY: answer !== null, write: (text) => void all.push(text) },
      ...(answer === null ? {} : { stdin: terminalWith(answer) }),
    })
    return { code, said: all.join('').trimEnd(), out: out.join('').trimEnd() }
  }
}

/** A terminal on which a person types this line. */
function terminalWith(answer: string): NodeJS.ReadStream {
  const stdin = new PassThrough()
  stdin.end(answer)
  return Object.assign(stdin, { isTTY: true }) as unknown as NodeJS.ReadStream
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, word]) => double ?? single ?? word ?? '',
  )
}
