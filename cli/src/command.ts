import type { ArgumentOption, Arguments } from '../../src/lib/arguments.ts'
import { parseArguments } from '../../src/lib/arguments.ts'
import { UserError } from '../../src/lib/user-error.ts'

/** What a command works with beside its arguments. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a line of the result. */
  readonly say: (line: string) => void
  /** Where progress and errors go. */
  readonly stderr: ProgressStream
  /** Ends a command that runs until it is stopped. */
  readonly signal?: AbortSignal
}

export interface ProgressStream {
  readonly isTTY?: boolean | undefined
  readonly write: (text: string) => unknown
}

/** An option, as it is read and as `--help` shows it. */
export interface Option<N extends string = string> extends ArgumentOption<N> {
  readonly help: string
  /** The environment variables that set it if it is not given; the first that is set counts. */
  readonly env?: readonly string[]
}

interface CommandText {
  /** As typed: `score replay`. */
  readonly name: string
  /** The words behind the name, in order; one in brackets may be left out: `[AGENT_ID]`. */
  readonly operands: readonly string[]
  /** One line, without a full stop. */
  readonly summary: string
  /** More than fits in a line, for `--help`. */
  readonly details?: string
  /** A line that may be typed. */
  readonly example: string
}

export interface Command extends CommandText {
  readonly options: readonly Option[]
  /** Does its work; the exit code. @throws UserError */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>
}

interface CommandSpec<N extends string> extends CommandText {
  readonly options: readonly Option<N>[]
  readonly run: (input: Arguments<N>, terminal: Terminal) => Promise<number>
}

/** Makes a command that is called with parsed arguments, as many words as it has operands. */
export function defineCommand<const N extends string>(spec: CommandSpec<N>): Command {
  return {
    ...spec,
    async run(args, terminal) {
      const input = parseArguments(args, spec.options)
      checkWords(spec, input.words)
      return spec.run(input, terminal)
    },
  }
}

function checkWords({ operands, example }: CommandText, words: readonly string[]): void {
  const missing = operands.slice(words.length).find((operand) => !operand.startsWith('['))
  if (missing !== undefined) {
    throw new UserError(`${missing} is missing. Example: ${example}`)
  }
  const extra = words[operands.length]
  if (extra !== undefined) {
    throw new UserError(`Unexpected argument: ${extra}. Example: ${example}`)
  }
}
