import { readConfig } from '../../../src/config.ts'
import type { InputOf, Session } from '../command.ts'
import { readModel } from '../model-file.ts'
import { simulate as simulateFile } from '../simulate/run.ts'
import { DEFAULT_SETTINGS, readRules } from '../simulate/settings.ts'
import type { Settings } from '../simulate/simulator.ts'
import { LIMITS, type SIMULATE_OPTIONS } from '../table/simulate.ts'

export async function simulate(
  { words: [file = ''], options, flags }: InputOf<typeof SIMULATE_OPTIONS>,
  { isJson, isPiped = false, say, stderr }: Session,
): Promise<number> {
  const { rules, model, ...limits } = options
  const settings: Settings = {
    ...DEFAULT_SETTINGS,
    ...limitsOf(limits),
    ...(rules === undefined ? {} : { rules: await readRules(rules) }),
    ...(model === undefined ? {} : { model: await readModel(model) }),
  }
  const skipped = await simulateFile({
    file,
    stdin: process.stdin,
    settings,
    json: isJson || isPiped,
    skipsBadLines: flags.has('skip-bad-lines'),
    say,
    warn: (line) => void stderr.write(`${line}\n`),
  })
  return skipped > 0 ? 1 : 0
}

/** Read only as flags: the environment does not change the result of a simulation. */
function limitsOf(options: Readonly<Record<string, string | undefined>>): Partial<Settings> {
  const flags = LIMITS.flatMap(({ name }) =>
    options[name] === undefined ? [] : [`--${name}=${options[name]}`],
  )
  const { rateLimits, eventsPerAgentHour, eventsPerPlatformHour, occurredAtDays } = readConfig(
    {},
    flags,
  )
  return { rateLimits, eventsPerAgentHour, eventsPerPlatformHour, occurredAtDays }
}
