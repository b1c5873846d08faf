import { SETTINGS } from '../../../src/settings/table.ts'
import { command } from '../command.ts'
import { CALLER_OPTIONS, DATA_OPTIONS, LISTEN_OPTIONS, URL_OPTION } from '../options.ts'

/** Beside the service's own port, so that the demo runs next to it. */
export const DEMO_PORT = '8090'

export const DEMO_OPTIONS = [
  { name: 'port', value: 'PORT', help: `port to listen on (default ${DEMO_PORT})` },
] as const

export const DOCTOR_OPTIONS = [...DATA_OPTIONS, ...LISTEN_OPTIONS] as const

export const LOGIN_OPTIONS = [
  {
    name: 'key',
    value: 'KEY',
    help: 'store this API key of an operator, a platform, an agent or an account instead',
  },
  URL_OPTION,
] as const

export const SERVICE = [
  command({
    name: 'serve',
    operands: [],
    summary: 'Run the service, with the embedded PostgreSQL unless DATABASE_URL names another one',
    options: SETTINGS.map(({ name, flag, value, help }) => ({
      name: flag,
      value,
      help,
      env: [name],
    })),
    json: null,
    example: 'standing serve --port 9000 --data-dir /var/lib/standing',
    load: async () => (await import('../commands/serve.ts')).serve,
  }),
  command({
    name: 'demo',
    operands: [],
    summary: 'Start a service with a year of generated data, for a demonstration',
    details:
      'The data is in a directory of its own, which is deleted when the demo ends. It listens on this\n' +
      'machine only and has no limits.',
    options: DEMO_OPTIONS,
    json: '{ url, owner, operatorKey, platformKey, agentKey, credentialId, agents }, once it is ready',
    example: 'standing demo',
    load: async () => (await import('../commands/demo.ts')).demo,
  }),
  command({
    name: 'doctor',
    operands: [],
    summary: 'Check everything that the service needs to start, and say how to fix what is wrong',
    options: DOCTOR_OPTIONS,
    json: '{ check, level, finding, fix } a line',
    example: 'standing doctor --data-dir /var/lib/standing',
    load: async () => (await import('../commands/doctor.ts')).doctor,
  }),
]

export const ACCESS = [
  command({
    name: 'login',
    operands: ['[EMAIL]'],
    summary: 'Sign in to a service, so that the other commands use its address and your credential',
    details:
      'The password is asked for, or read from standard input. What is stored is used for this address\n' +
      'alone, and readable by you alone: $XDG_CONFIG_HOME/standing/logins.json, ~/.config by default.\n' +
      'A token ends after a day; --key stores a key, which does not. For an address there is one\n' +
      'credential of an owner, one key of a platform or an agent, and one of an operator: a later one\n' +
      'replaces the one before, and says so.',
    options: LOGIN_OPTIONS,
    json: '{ url, kind, expiresAt }',
    example: 'standing login ada@example.com --url https://trust.example.com',
    load: async () => (await import('../commands/login.ts')).login,
  }),
  command({
    name: 'logout',
    operands: [],
    summary: 'Forget the credentials stored for a service, and end your session there',
    details: 'Keys keep working. Your sign-ins on other machines continue: standing session list.',
    options: [URL_OPTION],
    json: '{ url, forgotten, ended }',
    example: 'standing logout',
    load: async () => (await import('../commands/login.ts')).logout,
  }),
  command({
    name: 'whoami',
    operands: [],
    summary: 'Show which service and which credentials the commands use, and whether they work',
    details: 'The exit code is 4 where there is none, or one does not work.',
    options: CALLER_OPTIONS,
    json: '{ url, kind, works, name, id, expiresAt } a line for each credential',
    example: 'standing whoami',
    load: async () => (await import('../commands/whoami.ts')).whoami,
  }),
]
