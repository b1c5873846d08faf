import { type Command, configOf, DATA_OPTIONS, parse } from '../command.ts'
import { type Finding, guarded } from '../doctor/check.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkBinaries, checkDataDir, checkNode, checkPort } from '../doctor/machine.ts'
import { Problem } from '../problem.ts'

export const doctor: Command = {
  name: 'doctor',
  usage: '[--data-dir DIR | --database-url URL] [--port PORT] [--host HOST]',
  summary: 'Look over everything a start needs, and say what to do where something is amiss',
  async run(args, { env, say }) {
    const { words, options } = parse(args, DATA_OPTIONS)
    if (words.length > 0) throw new Problem('doctor takes no arguments, only options.')
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
      if (todo !== undefined) say(`${' '.repeat(21)}→ ${todo}`)
    }
    return Object.values(findings).some(({ level }) => level === 'FAIL') ? 1 : 0
  },
}
