import { parseArguments } from '../../src/lib/arguments.ts'
import { nearest } from '../../src/lib/spelling.ts'
import { UsageError } from '../../src/lib/user-error.ts'
import { checkSpelling } from '../../src/settings/spelling.ts'
import { VERSION } from '../../src/version.ts'
import { OPERAND_CHOICES } from './choices.ts'
import { type Command, optionsOf, type Session, type Terminal } from './command.ts'
import { COMMANDS, SECTIONS } from './commands.ts'
import { errorJson, explain } from './errors.ts'
import { exitCode, exitCodeOf } from './exit-codes.ts'
import { helpOf, overview, summaries } from './help.ts'
import { optionHint } from './option-hints.ts'
import { guarded } from './printable.ts'

/** Runs the command that the arguments name; the exit code. */
export async function run(args: readonly string[], plain: Terminal): Promise<number> {
  const terminal = guarded(plain)
  if (args[0] === 'help' && args.length > 1) {
    return run([...args.slice(1), '--help'], terminal)
  }
  const named = withSingularNoun(args)
  const found = findCommand(named)
  if (!found) {
    return runWithoutCommand(named, terminal)
  }
  const { command, rest } = found
  if (isHelp(rest)) {
    terminal.say(helpOf(command))
    return 0
  }
  const session = sessionOf(terminal, command.json !== null && rest.includes('--json'))
  try {
    const input = parse(command, rest)
    // `doctor` reports misspelt settings itself, with all other findings.
    if (command.name !== 'doctor') {
      checkSpelling(terminal.env)
    }
    const handler = await command.load()
    return await handler(input, input.flags.has('test') ? { ...session, mode: 'test' } : session)
  } catch (error) {
    report(error, command, session)
    return exitCodeOf(error)
  }
}

/** The arguments, with a noun in the plural replaced by the singular, which names the command. */
function withSingularNoun(args: readonly string[]): readonly string[] {
  const [first = '', ...rest] = args
  const noun = COMMANDS.map(({ name }) => firstOf(name)).find((one) => pluralOf(one) === first)
  return noun === undefined ? args : [noun, ...rest]
}

function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) {
    return `${noun.slice(0, -1)}ies`
  }
  return noun.endsWith('ch') ? `${noun}es` : `${noun}s`
}

/** The command with the longest name that the arguments begin with, and the arguments after it. */
function findCommand(args: readonly string[]) {
  const all = COMMANDS.flatMap((command) =>
    [command.name, ...(command.alias === undefined ? [] : [command.alias])].map((name) => ({
      command,
      words: name.split(' '),
    })),
  )
  const named = all.filter(({ words }) => words.every((word, i) => args[i] === word))
  const [longest] = named.sort((a, b) => b.words.length - a.words.length)
  return longest && { command: longest.command, rest: args.slice(longest.words.length) }
}

function isHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

function sessionOf(terminal: Terminal, isJson: boolean): Session {
  return {
    ...terminal,
    isJson,
    show: (value, text) => terminal.say(isJson ? JSON.stringify(value) : text),
    note: (text) => {
      if (!isJson) {
        terminal.stderr.write(`${text}\n`)
      }
    },
  }
}

/** @throws UsageError */
function parse(command: Command, args: readonly string[]) {
  const input = parseArguments(args, optionsOf(command), (name) => optionHint(command, name))
  checkWords(command, input.words)
  checkOptions(command, input.options)
  return input
}

function checkWords({ operands, example }: Command, words: readonly string[]): void {
  const missing = operands.slice(words.length).find((operand) => !operand.startsWith('['))
  if (missing !== undefined) {
    throw new UsageError(`${missing} is missing. Example: ${example}`)
  }
  const extra = words[operands.length]
  if (extra !== undefined) {
    throw new UsageError(`Unexpected argument: ${extra}. Example: ${example}`)
  }
  for (const [i, operand] of operands.entries()) {
    checkChoice(operand, words[i], OPERAND_CHOICES[operand])
  }
}

function checkOptions(command: Command, given: Readonly<Partial<Record<string, string>>>): void {
  for (const { name, choices, isRequired } of optionsOf(command)) {
    if (isRequired && given[name] === undefined) {
      throw new UsageError(`--${name} is missing. Example: ${command.example}`)
    }
    checkChoice(`--${name}`, given[name], choices)
  }
}

function checkChoice(name: string, given?: string, choices?: readonly string[]): void {
  if (given !== undefined && choices && !choices.includes(given)) {
    throw new UsageError(`${name} must be one of ${choices.join(', ')}, not ${given}.`)
  }
}

function report(error: unknown, { name }: Command, { isJson, stderr }: Session): void {
  if (isJson) {
    stderr.write(`${errorJson(error)}\n`)
    return
  }
  stderr.write(`${explain(error)}\n`)
  if (error instanceof UsageError) {
    stderr.write(`\nSee standing ${name} --help\n`)
  }
}

function runWithoutCommand(args: readonly string[], { say, stderr }: Terminal): number {
  const [first = 'help', second] = args
  if (['--version', '-v', '-V', 'version'].includes(first)) {
    say(VERSION)
    return 0
  }
  if (['help', '--help', '-h'].includes(first)) {
    say(overview(SECTIONS))
    return 0
  }
  if (first.startsWith('-')) {
    const place = `Options come after it: standing COMMAND ${first}`
    stderr.write(`${first} is not a command. ${place}\n${ALL_COMMANDS}\n`)
    return exitCode('usage')
  }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length > 0 && (isHelp(args) || second === undefined)) {
    const write = isHelp(args) ? say : (text: string) => void stderr.write(`${text}\n`)
    write(summaries(group))
    return isHelp(args) ? 0 : exitCode('usage')
  }
  const typed = group.length > 0 && second !== undefined ? `${first} ${second}` : first
  stderr.write(`Unknown command: ${typed}\n${hintOf(typed, group)}\n`)
  return exitCode('usage')
}

const ALL_COMMANDS = 'All commands: standing --help'

/** Letters by which a misspelt command differs at most from the right one. */
const SLIPS_MAX = 3

function hintOf(typed: string, group: readonly Command[]): string {
  const names = COMMANDS.map(({ name }) => name)
  const known = typed.includes(' ') ? names : [...new Set(names.map((name) => firstOf(name)))]
  const meant = nearest(typed, known, Math.min(SLIPS_MAX, Math.ceil(typed.length / 3)))
  return [
    ...(meant === undefined ? [] : [`Did you mean: standing ${meant}`]),
    group.length === 0
      ? ALL_COMMANDS
      : `Commands: ${group.map(({ name }) => `standing ${name}`).join(', ')}`,
  ].join('\n')
}

function firstOf(name: string): string {
  return name.split(' ')[0] ?? name
}
