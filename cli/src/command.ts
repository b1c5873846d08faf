import type { ArgumentOption, Arguments } from '../../src/lib/arguments.ts'

/** Where a command runs: everything it uses besides its arguments. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a line of the result. */
  readonly say: (line: string) => void
  /** Where progress, hints and errors go. */
  readonly stderr: ProgressStream
  /** Where a password or a file called `-` is read from. */
  readonly stdin?: NodeJS.ReadStream
  /** Whether the result is read by a person who wants colours. */
  readonly hasColour?: boolean
  /** Whether the result goes to a program or a file. */
  readonly isPiped?: boolean
  /** Set by `--test`: the command works with test data. */
  readonly mode?: 'test'
  /** Ends a command that runs until it is stopped. */
  readonly signal?: AbortSignal
}

export interface ProgressStream {
  readonly isTTY?: boolean | undefined
  readonly write: (text: string) => unknown
}

/** A terminal, with the two ways to write a result: as text and, with `--json`, as JSON. */
export interface Session extends Terminal {
  readonly isJson: boolean
  /** A result, or an item of a list: one line of JSON, or the text. */
  readonly show: (value: unknown, text: string) => void
  /** A hint for a person. Programs that read JSON do not get it. */
  readonly note: (text: string) => void
}

/** An option, as it is read and as help, completion and docs/cli.md show it. */
export interface Option<N extends string = string> extends ArgumentOption<N> {
  readonly help: string
  /** The environment variables that set it if it is not given; the first that is set counts. */
  readonly env?: readonly string[]
  /** The values that it takes; any where there are none. */
  readonly choices?: readonly string[]
  /** Whether the command needs it. By default it may be left out. */
  readonly isRequired?: true
}

/** What a handler gets of a command with these options, checked against them. */
export interface InputOf<O extends readonly Option[]>
  extends Omit<Arguments<O[number]['name']>, 'options'> {
  readonly options: {
    readonly [P in ValuedOf<O> as P extends { isRequired: true } ? P['name'] : never]: ValueOf<P>
  } & {
    readonly [P in ValuedOf<O> as P extends { isRequired: true } ? never : P['name']]?: ValueOf<P>
  }
}

type ValuedOf<O extends readonly Option[]> = Extract<O[number], { readonly value: string }>
type ValueOf<P extends Option> = P extends { readonly choices: readonly (infer V)[] } ? V : string

/** Does the work of a command; the exit code. @throws UserError */
export type Handler<O extends readonly Option[] = readonly Option[]> = (
  input: InputOf<O>,
  session: Session,
) => Promise<number>

/** A command as data. What it does is loaded when it is run: a start must not load the service. */
export interface Command<O extends readonly Option[] = readonly Option[]> {
  /** As typed: `score replay`. */
  readonly name: string
  /** Another name for the same. */
  readonly alias?: string
  /** The words behind the name, in order; one in brackets may be left out: `[AGENT_ID]`. */
  readonly operands: readonly string[]
  /** One line, without a full stop. */
  readonly summary: string
  /** More than fits in a line, for `--help`. */
  readonly details?: string
  readonly options: O
  /** What `--json` prints; null where the command has no such option. */
  readonly json: string | null
  /** A line that may be typed. */
  readonly example: string
  readonly load: () => Promise<Handler<O>>
}

/** Declares a command whose handler is typed by its options. */
export function command<const O extends readonly Option[]>(spec: Command<O>): Command {
  // A handler reads only the options that its own command declares.
  return spec as unknown as Command
}

const JSON_OPTION: Option = { name: 'json', help: 'print JSON for programs' }

/** The options of a command, with `--json` where it has it. */
export function optionsOf({ options, json }: Command): readonly Option[] {
  return json === null ? options : [...options, JSON_OPTION]
}
