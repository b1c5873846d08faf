import { StandingError } from '@standing/sdk'
import { ABOUT } from '../../src/api/about.ts'
import { UserError } from '../../src/lib/user-error.ts'
import type { Terminal } from './command.ts'
import { COMMANDS } from './commands.ts'
import { helpOf, overview } from './help.ts'

/** `standing serve` is the service itself, which scripts/standing.mjs starts. */
const SERVE = { name: 'serve', operands: [], summary: 'Run the service' }

/** Runs the command that the arguments name; the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const command = COMMANDS.find(({ name }) => isNamed(name, args))
  if (!command) {
    return runWithoutCommand(args, terminal)
  }
  const rest = args.slice(command.name.split(' ').length)
  if (isHelp(rest)) {
    terminal.say(helpOf(command))
    return 0
  }
  try {
    return await command.run(rest, terminal)
  } catch (error) {
    terminal.stderr.write(`${explain(error)}\n`)
    if (error instanceof UserError) {
      terminal.stderr.write(`\nSee standing ${command.name} --help\n`)
    }
    return 1
  }
}

function isNamed(name: string, args: readonly string[]): boolean {
  return name.split(' ').every((word, i) => args[i] === word)
}

function isHelp(args: readonly string[]): boolean {
  return args.includes('--help') || args.includes('-h')
}

function runWithoutCommand(args: readonly string[], { say, stderr }: Terminal): number {
  const [first = 'help', second = ''] = args
  if (['--version', '-v', '-V'].includes(first)) {
    say(ABOUT.version)
    return 0
  }
  if (['help', '--help', '-h'].includes(first)) {
    say(overview([SERVE, ...COMMANDS]))
    return 0
  }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (group.length === 0) {
    stderr.write(`Unknown command: ${first}\nAll commands: standing --help\n`)
    return 1
  }
  if (isHelp(args)) {
    say(overview(group))
    return 0
  }
  const names = group.map(({ name }) => `standing ${name}`).join(', ')
  stderr.write(`Unknown command: ${`${first} ${second}`.trim()}\nCommands: ${names}\n`)
  return 1
}

function explain(error: unknown): string {
  if (error instanceof UserError) {
    return error.message
  }
  if (!(error instanceof StandingError)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const { code, message, status, requestId } = error
  if (status === 0) {
    return `${message}\nCheck that the service is running (standing serve) and that --url is right.`
  }
  if (status === 401) {
    return `${message}\nCheck that the key belongs to the service at this address.`
  }
  return `${code}: ${message}${requestId === undefined ? '' : ` (request ${requestId})`}`
}
