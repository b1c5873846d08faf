import type { Command, Option } from './command.ts'

/** What a command does, its options, what stands in for them, and an example. */
export function helpOf({ name, usage, summary, options, example }: Command): string {
  const rows = [...options.map(rowOf), ['--help', 'this'] as const]
  const width = Math.max(...rows.map(([left]) => left.length))
  return [
    `${['standing', name, usage].filter(Boolean).join(' ')} [options]`,
    '',
    `${summary}.`,
    '',
    'Options:',
    ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`),
    '',
    'Example:',
    `  ${example}`,
  ].join('\n')
}

/** The environment stands beside each option: whoever looks for the one sees the other. */
function rowOf({ name, value, help, env }: Option): readonly [string, string] {
  return [`--${name}${value ? ` ${value}` : ''}`, env ? `${help}; else $${env.join(', $')}` : help]
}

/** The commands, one below the other. */
export function overview(commands: readonly Pick<Command, 'name' | 'usage' | 'summary'>[]): string {
  const rows = commands.flatMap(({ name, usage, summary }) => [
    `  standing ${[name, usage].filter(Boolean).join(' ')}`,
    `      ${summary}`,
  ])
  return ['', ...rows, '', '  Each takes --help, which lists its options.', ''].join('\n')
}
