import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { newKey } from '../../../src/auth/key-format.ts'
import { readConfig } from '../../../src/config.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { openService } from '../../../src/service.ts'
import { explain } from '../../../src/startup-errors.ts'
import type { InputOf, Session } from '../command.ts'
import { type Seeded, seed } from '../demo/seed.ts'
import { OWNERS, PASSWORD, STORIES } from '../demo/stories.ts'
import { type DEMO_OPTIONS, DEMO_PORT } from '../table/service.ts'
import { aborted, untilSignal } from '../until-signal.ts'

export async function demo(
  { options }: InputOf<typeof DEMO_OPTIONS>,
  session: Session,
): Promise<number> {
  return untilSignal(async (stopped) => {
    const home = await mkdtemp(join(tmpdir(), 'standing-demo-'))
    try {
      await runDemo({ session, home, port: options.port ?? DEMO_PORT, stopped })
    } catch (error) {
      // What was not done yet when the demo was stopped fails.
      if (!stopped.aborted) {
        throw error
      }
    } finally {
      await rm(home, { recursive: true, force: true })
    }
    return 0
  }, session.signal)
}

interface Demo {
  readonly session: Session
  /** Its own directory. */
  readonly home: string
  readonly port: string
  /** Aborted when the demo is to end. */
  readonly stopped: AbortSignal
}

/** Serves until it is stopped. */
async function runDemo({ session, home, port, stopped }: Demo): Promise<void> {
  const operatorKey = newKey('operator')
  const progress = (text: string) => void session.stderr.write(`${text} …\n`)
  progress('starting the service')
  // None of the settings of a real service: the demo must not touch its data.
  const settings = {
    STANDING_DATA_DIR: join(home, 'data'),
    STANDING_OPERATOR_KEY: operatorKey,
    STANDING_RATE_LIMITS: 'off',
    STANDING_LEADERBOARD: 'on',
    STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  }
  const config = readConfig(settings, [`--port=${port}`])
  // Standard output is for the result.
  const log = pino({ level: config.logLevel }, pino.destination(process.stderr.fd))
  stopped.addEventListener('abort', () => {
    progress('ending the demo')
    // Of work that the end interrupts, which is no fault.
    log.level = 'silent'
  })
  const service = await openService(config, log).catch((error: unknown) => {
    throw new UserError(`${explain(error)}\nThe demo takes a free port with --port 0.`)
  })
  try {
    const { url } = service
    const seeded = await seed({ url, operatorKey, now: Date.now(), progress, stopped })
    session.show(resultOf(url, operatorKey, seeded), textOf(url, operatorKey, seeded))
    await aborted(stopped)
  } finally {
    await service.close()
  }
}

/** Everything that a person or a program needs to look around. */
function resultOf(url: string, operatorKey: string, seeded: Seeded) {
  const { agentKey, platformKey, credentialId } = seeded
  return {
    url,
    owner: { email: OWNERS.ada.email, password: PASSWORD },
    operatorKey,
    platformKey,
    agentKey,
    credentialId,
    agents: Object.fromEntries(seeded.agents),
  }
}

function textOf(url: string, operatorKey: string, seeded: Seeded): string {
  const atlas = seeded.agents.get('Atlas Invoicing') ?? ''
  const width = Math.max(...STORIES.map(({ name }) => name.length))
  return [
    '',
    `The demo is at ${url}`,
    '',
    `  Owner      ${OWNERS.ada.email}, ${PASSWORD}`,
    `  Operator   ${operatorKey}`,
    `  Platform   ${seeded.platformKey}`,
    `  Agent      ${seeded.agentKey}`,
    '',
    `  Leaderboard   ${url}/agents`,
    `  A profile     ${url}/agents/${atlas}`,
    `  A credential  ${url}/verify/${seeded.credentialId}`,
    `  Guides        ${url}/docs`,
    '',
    ...STORIES.map(({ name, lesson }) => `  ${name.padEnd(width)}  ${lesson}`),
    '',
    '  Try:',
    `    curl -s ${url}/v1/agents/${atlas}/score`,
    '',
    'Ctrl-C ends the demo and deletes its data.',
  ].join('\n')
}
