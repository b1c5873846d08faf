import { parseArguments } from '../lib/arguments.ts'
import { UsageError, UserError } from '../lib/user-error.ts'
import { SETTINGS, type SettingName } from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Get {
  /** The text of a setting; null where it is not set, or set to nothing. */
  (name: SettingName): string | null
  /** The error about a wrong value. It calls the setting by its flag, where that was given. */
  readonly wrong: (name: SettingName, problem: string) => UserError
}

/** Flags win over the environment. @throws UsageError for a flag that does not exist */
export function settingsIn(env: Environment, args: readonly string[]): Get {
  const flags = SETTINGS.map(({ flag: name, value }) => ({ name, value }))
  const { words, options } = parseArguments(args, flags)
  if (words[0] !== undefined) {
    throw new UsageError(`Unexpected argument: ${words[0]}. --help lists the options.`)
  }
  const flagOf = new Map(SETTINGS.map(({ name, flag }) => [name, flag]))
  const given = (name: SettingName) => options[flagOf.get(name) ?? '']
  return Object.assign((name: SettingName) => given(name) ?? (env[name] || null), {
    wrong: (name: SettingName, problem: string) =>
      given(name) === undefined
        ? new UserError(`${name} ${problem}`)
        : new UsageError(`--${flagOf.get(name)} ${problem}`),
  })
}

interface Range {
  readonly default: number
  readonly min: number
  readonly max: number
}

const RANGES = {
  PORT: { default: 8080, min: 0, max: 65_535 },
  // Minutes. A token lasts a day, so a longer time would never pass.
  STANDING_SESSION_IDLE: { default: 0, min: 0, max: 24 * 60 },
  STANDING_EVENTS_PER_AGENT_HOUR: { default: 100, min: 1, max: 1_000_000_000 },
  STANDING_EVENTS_PER_PLATFORM_HOUR: { default: 1_000, min: 1, max: 1_000_000_000 },
  STANDING_OCCURRED_AT_DAYS: { default: 30, min: 1, max: 36_500 },
  // MiB.
  STANDING_DISK_FREE_MIN: { default: 256, min: 0, max: 1_000_000_000 },
  STANDING_CLUSTER: { default: 1, min: 1, max: 64 },
  // Seconds.
  STANDING_SHUTDOWN_GRACE: { default: 3, min: 0, max: 600 },
} as const satisfies Partial<Record<SettingName, Range>>

/** @throws UserError */
export function wholeNumber(get: Get, name: keyof typeof RANGES): number {
  const { default: ifAbsent, min, max } = RANGES[name]
  const text = get(name)
  if (text === null) {
    return ifAbsent
  }
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) {
    return value
  }
  throw get.wrong(name, `must be a whole number from ${min} to ${max}, not "${text}".`)
}

/** Settings that are `on` or `off`, with their defaults. */
const SWITCHES = {
  STANDING_NOTIFY: 'on',
  STANDING_PASSWORD_CHECK: 'off',
  STANDING_RATE_LIMITS: 'on',
  STANDING_LEADERBOARD: 'off',
  STANDING_SELF_CHECK: 'on',
  STANDING_REQUEST_LOG: 'off',
} as const satisfies Partial<Record<SettingName, 'on' | 'off'>>

/** @throws UserError where it is neither `on` nor `off` */
export function isOn(get: Get, name: keyof typeof SWITCHES): boolean {
  return choice(get, name, ['on', 'off'], SWITCHES[name]) === 'on'
}

/** One word of a closed list. @throws UserError */
export function choice<T extends string>(
  get: Get,
  name: SettingName,
  of: readonly T[],
  ifAbsent: T,
): T {
  const text = get(name) ?? ifAbsent
  const found = of.find((one) => one === text)
  if (found !== undefined) {
    return found
  }
  throw get.wrong(name, `must be one of ${of.join(', ')}, not "${text}".`)
}

/** Values separated by commas. */
export function listed(get: Get, name: SettingName): readonly string[] {
  return partsOf(get(name), ',')
}

/** Values separated by spaces. */
export function words(get: Get, name: SettingName): readonly string[] {
  return partsOf(get(name), ' ')
}

function partsOf(text: string | null, separator: string): readonly string[] {
  const parts = (text ?? '').split(separator).map((part) => part.trim())
  return parts.filter((part) => part !== '')
}
