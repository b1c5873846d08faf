import { SETTINGS } from '../../src/settings/table.ts'
import type { Option } from './command.ts'

export const URL_OPTION = {
  name: 'url',
  value: 'URL',
  help: 'address of the service (default where you signed in last, else http://127.0.0.1:8080)',
  env: ['STANDING_URL', 'STANDING_BASE_URL'],
} as const

export const OPERATOR_OPTIONS = [
  URL_OPTION,
  {
    name: 'operator-key',
    value: 'avo_…',
    help: "the operator's key",
    env: ['STANDING_OPERATOR_KEY'],
  },
] as const

/** For commands about data of either mode. */
export const TEST_OPTION = {
  name: 'test',
  help: 'work with test data, which never changes a live score',
} as const

/** For commands about the people and keys of an account, which both modes share. */
export const ACCOUNT_OPTIONS = [
  URL_OPTION,
  {
    name: 'token',
    value: 'TOKEN',
    help: "an owner's token from sign-in, or an avw_ key of the account",
    env: ['STANDING_TOKEN'],
  },
] as const

export const OWNER_OPTIONS = [...ACCOUNT_OPTIONS, TEST_OPTION] as const

/** For commands that need no credential, or take any. */
export const CALLER_OPTIONS = [
  URL_OPTION,
  {
    name: 'key',
    value: 'KEY',
    help: 'an API key or token of any kind',
    env: ['STANDING_API_KEY', 'STANDING_TOKEN', 'STANDING_OPERATOR_KEY'],
  },
  TEST_OPTION,
] as const

export const PLATFORM_OPTIONS = [
  URL_OPTION,
  {
    name: 'key',
    value: 'avp_…',
    help: 'the API key of the platform',
    env: ['STANDING_API_KEY'],
  },
] as const

export const LIMIT_OPTION = {
  name: 'limit',
  value: 'N',
  help: 'show at most N (default all)',
} as const

export const RANGE_OPTIONS = [
  { name: 'from', value: 'TIME', help: 'earliest time: 2026-06-15T11:00:00Z' },
  { name: 'to', value: 'TIME', help: 'latest time' },
  LIMIT_OPTION,
] as const

/** For commands whose effect cannot be undone. */
export const YES_OPTION = {
  name: 'yes',
  help: 'do it without a question; required where there is no terminal',
} as const

/** For commands that replace a key. */
export const OVERLAP_OPTION = {
  name: 'overlap',
  value: 'SECONDS',
  help: 'how long the previous key works on (default 3600)',
} as const

/** For commands that write to the audit log. */
export const REASON_OPTION = {
  name: 'reason',
  value: 'TEXT',
  help: 'for the audit log',
  isRequired: true,
} as const

/** An id, as examples of commands show it. */
export const EXAMPLE_ID = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'

/** The settings that say where the data is, as `standing serve` takes them. */
export const DATA_OPTIONS = [
  setting('data-dir'),
  setting('database-url'),
  setting('secret-key'),
] as const

/** The settings that say where the service listens. */
export const LISTEN_OPTIONS = [setting('port'), setting('host')] as const

/** An option that is a setting of the service, with the service's own help text. */
function setting<const N extends string>(name: N): Option<N> & { readonly value: string } {
  const found = SETTINGS.find(({ flag }) => flag === name)
  const { name: env, value, help } = found ?? { name: '', value: '', help: '' }
  return { name, value, help, env: [env] }
}
