import { run } from '../../cli/src/run.ts'

export interface Typed {
  readonly code: number
  /** What it wrote to either stream, in order. */
  readonly said: string
  /** The result alone. */
  readonly out: string
}

type Env = Readonly<Record<string, string>>

/** Runs commands of `standing` as typed, as words or as a line in which quotes hold words together. */
export function commandIn(env: Env) {
  return async (words: string | readonly string[], more: Env = {}): Promise<Typed> => {
    const all: string[] = []
    const out: string[] = []
    const args = typeof words === 'string' ? wordsOf(words) : words
    const code = await run(args, {
      env: { ...env, ...more },
      say: (line) => {
        all.push(`${line}\n`)
        out.push(`${line}\n`)
      },
      stderr: { write: (text) => void all.push(text) },
    })
    return { code, said: all.join('').trimEnd(), out: out.join('').trimEnd() }
  }
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, word]) => double ?? single ?? word ?? '',
  )
}
