import { type Command, configOf, DATA_OPTIONS, PLACE_OPTIONS, parse } from '../command.ts'
import { type Finding, guarded } from '../doctor/check.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkBinaries, checkDataDir, checkNode, checkPort } from '../doctor/machine.ts'
import { Problem } from '../problem.ts'

const OPTIONS = [...DATA_OPTIONS, ...PLACE_OPTIONS] as const

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Look over everything a start needs, and say what to do where something is amiss',
  options: OPTIONS,
  example: 'standing doctor --data-dir /var/lib/standing',
  async run(args, { env, say }) {
    const { words, options } = parse(args, OPTIONS)
    if (words.length > 0) {
      throw new Problem('doctor takes no arguments, only options.')
    }
    const config = configOf(env, options)
    const findings: Record<string, Finding> = {
      node: checkNode(),
      'data directory': await guarded(() => checkDataDir(config)),
      binaries: await guarded(() => checkBinaries(config)),
      ...(await checkDatabase(config)),
      port: await guarded(() => checkPort(config)),
    }
    for (const [name, { level, says, todo }] of Object.entries(findings)) {
      say(`${level.padEnd(5)}${name.padEnd(16)}${says}`)
      if (todo !== undefined) {
        say(`${' '.repeat(21)}→ ${todo}`)
      }
    }
    return Object.values(findings).some(({ level }) => level === 'FAIL') ? 1 : 0
  },
}
