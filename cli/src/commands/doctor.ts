import { defineCommand } from '../command.ts'
import { type Finding, guarded } from '../doctor/check.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkBinaries, checkDataDir, checkNode, checkPort } from '../doctor/machine.ts'
import { configOf, DATA_OPTIONS, LISTEN_OPTIONS } from '../settings.ts'

export const doctor = defineCommand({
  name: 'doctor',
  operands: [],
  summary: 'Check everything that the service needs to start, and say how to fix what is wrong',
  options: [...DATA_OPTIONS, ...LISTEN_OPTIONS],
  example: 'standing doctor --data-dir /var/lib/standing',
  async run({ options }, { env, say }) {
    const config = configOf(env, options)
    const findings: Record<string, Finding> = {
      node: checkNode(),
      'data directory': await guarded(() => checkDataDir(config)),
      binaries: await guarded(() => checkBinaries(config)),
      ...(await checkDatabase(config)),
      port: await guarded(() => checkPort(config)),
    }
    for (const [name, { level, finding, fix }] of Object.entries(findings)) {
      say(`${level.padEnd(5)}${name.padEnd(16)}${finding}`)
      if (fix !== undefined) {
        say(`${' '.repeat(21)}→ ${fix}`)
      }
    }
    return Object.values(findings).some(({ level }) => level === 'FAIL') ? 1 : 0
  },
})
