import { type Config, readConfig } from '../../src/config.ts'
import { UserError } from '../../src/lib/user-error.ts'
import { SETTINGS } from '../../src/settings/table.ts'
import { hasData } from '../../src/startup/data-dir.ts'
import { existingSecret } from '../../src/startup/master-key.ts'
import type { Terminal } from './command.ts'
import { noDataIn } from './database.ts'
import type { DATA_OPTIONS, LISTEN_OPTIONS } from './options.ts'

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

/** The master key of these settings. @throws UserError where there is none */
export async function masterKeyOf(config: Config): Promise<Uint8Array> {
  const key = await existingSecret(config)
  if (!key && config.databaseUrl === null && !hasData(config.dataDir)) {
    throw noDataIn(config.dataDir)
  }
  if (!key) {
    throw new UserError('There is no master key: set STANDING_SECRET_KEY, or STANDING_DATA_DIR.')
  }
  return key
}
