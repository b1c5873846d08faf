import { type Config, settingsProblem } from '../../../src/config.ts'
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
    return { config, finding: findingOf(env, config) }
  } catch (error) {
    if (!(error instanceof UserError)) {
      throw error
    }
    return { config: null, finding: fails(error.message, 'Correct it; the rest is checked then.') }
  }
}

function findingOf(env: Parameters<typeof ignoredVariables>[0], config: Config): Finding {
  const strays = ignoredVariables(env).map(({ name }) => name)
  if (strays.length > 0) {
    return note(`not a setting, and ignored: ${strays.join(', ')}`)
  }
  const problem = settingsProblem(config)
  return problem === null
    ? fine('every one is known and has a valid value')
    : note(problem, 'Set it to the address at which people reach the service.')
}
