import { StandingError } from '@standing/sdk'
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

/** Runs the command that the arguments name; the exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { say } = terminal
  const command = COMMANDS.find(({ name }) => isNamed(name, args))
  if (!command) {
    for (const line of help()) say(line)
    return args.length === 0 || ['help', '--help', '-h'].includes(args[0] ?? '') ? 0 : 1
  }
  const rest = args.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    say(`standing ${command.name} ${command.usage}`)
    say(`  ${command.summary}`)
    return 0
  }
  try {
    return await command.run(rest, terminal)
  } catch (error) {
    say(explain(error))
    return 1
  }
}

function isNamed(name: string, args: readonly string[]): boolean {
  return name.split(' ').every((word, i) => args[i] === word)
}

function help(): readonly string[] {
  const own = COMMANDS.flatMap(({ name, usage, summary }) => [
    `  standing ${name} ${usage}`,
    `      ${summary}`,
  ])
  const serve = ['  standing serve [options]', '      Run the service; --help lists its options']
  return ['', ...serve, ...own, '']
}

function explain(error: unknown): string {
  if (error instanceof Problem) return error.message
  if (!(error instanceof StandingError))
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  const { code, message, status } = error
  if (status === 0)
    return `${message}\nIs the service running (standing serve), and is --url right?`
  if (status === 401) return `${message}\nIs this a key of the service that runs there?`
  return `${code}: ${message}`
}
