import { type Command, type Option, optionsOf } from './command.ts'

/** Commands that belong together, as `standing --help` and docs/cli.md list them. */
export interface Section {
  readonly title: string
  readonly commands: readonly Command[]
}

/** The text of `standing COMMAND --help`. */
export function helpOf(command: Command): string {
  const { alias, summary, details, json, example } = command
  const rows = [...optionsOf(command).map(rowOf), ['--help', 'show this text'] as const]
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    `${usageOf(command)} [options]`,
    ...(alias === undefined ? [] : [`The same: standing ${alias}`]),
    '',
    `${summary}.`,
    ...(details === undefined ? [] : ['', details]),
    '',
    'Options:',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    ...(json === null ? [] : ['', `With --json: ${json}.`]),
    '',
    'Example:',
    `  ${example}`,
  ].join('\n')
}

export function usageOf({ name, operands }: Command): string {
  return ['standing', name, ...operands].join(' ')
}

function rowOf(option: Option): readonly [string, string] {
  const { name, value, env } = option
  const variables = env ? `; or $${env.join(', $')}` : ''
  return [`--${name}${value ? ` ${value}` : ''}`, `${helpTextOf(option)}${variables}`]
}

/** What an option is for, and whether it is required. */
export function helpTextOf({ help, isRequired }: Option): string {
  return isRequired ? `${help}; required` : help
}

/** Every command with its summary. */
export function overview(sections: readonly Section[]): string {
  return [
    'standing COMMAND [options]: runs and uses a Standing trust score service.',
    ...sections.flatMap(({ title, commands }) => ['', `${title}:`, ...rowsOf(commands)]),
    '',
    'standing COMMAND --help lists the options of a command. --json prints JSON, --version the version.',
    'Commands that call a service take its address from --url, $STANDING_URL or the last sign-in.',
    'Exit codes: 0 done, 1 failed or no, 2 wrong usage, 3 service unavailable, 4 credential.',
    'Try it: standing demo. Guides are at /docs of the service.',
  ].join('\n')
}

/** The commands of one noun. */
export function summaries(commands: readonly Command[]): string {
  return [...rowsOf(commands), '', 'standing COMMAND --help lists the options of a command.'].join(
    '\n',
  )
}

function rowsOf(commands: readonly Command[]): readonly string[] {
  return commands.flatMap((command) => [`  ${usageOf(command)}`, `      ${command.summary}`])
}
