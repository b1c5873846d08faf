import { StandingError } from '@standing/sdk'
import { ABOUT } from '../../src/api/about.ts'
import type { Command, Terminal } from './command.ts'
import { doctor } from './commands/doctor.ts'
import { keysList } from './commands/keys-list.ts'
import { keysReissue } from './commands/keys-reissue.ts'
import { keysRevoke } from './commands/keys-revoke.ts'
import { keysRotate } from './commands/keys-rotate.ts'
import { ownerSetTier } from './commands/owner-set-tier.ts'
import { platformCreate } from './commands/platform-create.ts'
import { scoreDiff } from './commands/score-diff.ts'
import { scoreReplay } from './commands/score-replay.ts'
import { verify } from './commands/verify.ts'
import { webhooksListen } from './commands/webhooks-listen.ts'
import { helpOf, overview } from './help.ts'
import { Problem } from './problem.ts'

const COMMANDS: readonly Command[] = [
  platformCreate,
  ownerSetTier,
  keysList,
  keysRotate,
  keysRevoke,
  keysReissue,
  doctor,
  scoreReplay,
  scoreDiff,
  verify,
  webhooksListen,
]

/** The service itself, which is no command of these (scripts/standing.mjs). */
const SERVE = { name: 'serve', usage: '', summary: 'Run the service' }

/** Runs the command that the arguments name; the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { say } = terminal
  const command = COMMANDS.find(({ name }) => isNamed(name, args))
  if (!command) {
    return withoutCommand(args, say)
  }
  const rest = args.slice(command.name.split(' ').length)
  if (isHelp(rest)) {
    say(helpOf(command))
    return 0
  }
  try {
    return await command.run(rest, terminal)
  } catch (error) {
    say(explain(error))
    if (error instanceof Problem) {
      say(`\nAll about it: standing ${command.name} --help`)
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

function withoutCommand(args: readonly string[], say: Terminal['say']): number {
  const [first = 'help', ...others] = args
  if (first === '--version' || first === '-v') {
    say(ABOUT.version)
    return 0
  }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  const isAsked = ['help', '--help', '-h'].includes(first)
  if (isAsked || (group.length > 0 && isHelp(others))) {
    say(overview(isAsked ? [SERVE, ...COMMANDS] : group))
    return 0
  }
  say(`unknown command: ${group.length > 0 ? args.slice(0, 2).join(' ') : first}`)
  say(
    group.length > 0
      ? `There are: ${group.map(({ name }) => `standing ${name}`).join(', ')}`
      : 'All commands: standing --help',
  )
  return 1
}

function explain(error: unknown): string {
  if (error instanceof Problem) {
    return error.message
  }
  if (!(error instanceof StandingError)) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const { code, message, status } = error
  if (status === 0) {
    return `${message}\nIs the service running (standing serve), and is --url right?`
  }
  if (status === 401) {
    return `${message}\nIs this a key of the service that runs there?`
  }
  return `${code}: ${message}`
}
