import { type Config, readConfig, SETTINGS } from '../../src/config.ts'
import type { Option, Terminal } from './command.ts'

/** The settings that say where the data is, as `standing serve` takes them. */
export const DATA_OPTIONS = [
  setting('data-dir', 'DIR'),
  setting('database-url', 'URL'),
  setting('secret-key', 'KEY'),
] as const

/** The settings that say where the service listens. */
export const LISTEN_OPTIONS = [setting('port', 'PORT'), setting('host', 'HOST')] as const

/** An option that is a setting of the service, with the service's own help text. */
function setting<const N extends string>(name: N, value: string): Option<N> {
  const { name: env, help } = SETTINGS.find(({ flag }) => flag === name) ?? { name: '', help: '' }
  return { name, value, help, env: [env] }
}

type SettingName = (typeof DATA_OPTIONS | typeof LISTEN_OPTIONS)[number]['name']

/** The service's settings, from the environment and those of these options that are settings. */
export function configOf(
  env: Terminal['env'],
  options: Readonly<Partial<Record<SettingName, string>>>,
): Config {
  const settings = Object.entries(options).filter(([name]) =>
    SETTINGS.some(({ flag }) => flag === name),
  )
  return readConfig(
    env,
    settings.map(([name, value]) => `--${name}=${value}`),
  )
}
