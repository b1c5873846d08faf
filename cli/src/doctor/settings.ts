import type { Config } from '../../../src/config.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { ignoredVariables } from '../../../src/settings/spelling.ts'
import { type Finding, fails, fine, note } from './check.ts'

/** The settings, or what is wrong with them: then nothing else can be checked. */
export function checkSettings(
  env: Readonly<Record<string, string | undefined>>,
  read: () => Config,
): { readonly config: Config | null; readonly finding: Finding } {
  try {
    const config = read()
    const strays = ignoredVariables(env).map(({ name }) => name)
    return strays.length === 0
      ? { config, finding: fine('every one is known and has a valid value') }
      : { config, finding: note(`not a setting, and ignored: ${strays.join(', ')}`) }
  } catch (error) {
    if (!(error instanceof UserError)) {
      throw error
    }
    return { config: null, finding: fails(error.message, 'Correct it; the rest is checked then.') }
  }
}
