import type { Command, Option } from './command.ts'

/** The text of `standing COMMAND --help`. */
export function helpOf({ name, operands, summary, details, options, example }: Command): string {
  const rows = [...options.map(rowOf), ['--help', 'show this text'] as const]
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    `${['standing', name, ...operands].join(' ')} [options]`,
    '',
    `${summary}.`,
    ...(details === undefined ? [] : ['', details]),
    '',
    'Options:',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    '',
    'Example:',
    `  ${example}`,
  ].join('\n')
}

function rowOf({ name, value, help, env }: Option): readonly [string, string] {
  const variables = env ? `; or $${env.join(', $')}` : ''
  return [`--${name}${value ? ` ${value}` : ''}`, `${help}${variables}`]
}

/** The commands with their summaries. */
export function overview(
  commands: readonly Pick<Command, 'name' | 'operands' | 'summary'>[],
): string {
  const rows = commands.flatMap(({ name, operands, summary }) => [
    `  standing ${[name, ...operands].join(' ')}`,
    `      ${summary}`,
  ])
  return ['', ...rows, '', '  standing COMMAND --help lists the options of a command.', ''].join(
    '\n',
  )
}
