import type { InputOf, Session } from '../command.ts'
import { type Finding, guarded } from '../doctor/check.ts'
import { checkDatabase } from '../doctor/database.ts'
import { checkBinaries, checkDataDir, checkNode, checkPort } from '../doctor/machine.ts'
import { paint } from '../output.ts'
import { configOf } from '../settings.ts'
import type { DOCTOR_OPTIONS } from '../table/service.ts'

const COLOURS = { ok: 'green', note: 'yellow', FAIL: 'red' } as const

export async function doctor(
  { options }: InputOf<typeof DOCTOR_OPTIONS>,
  session: Session,
): Promise<number> {
  const config = configOf(session.env, options)
  const findings: Record<string, Finding> = {
    node: checkNode(),
    'data directory': await guarded(() => checkDataDir(config)),
    binaries: await guarded(() => checkBinaries(config)),
    ...(await checkDatabase(config)),
    port: await guarded(() => checkPort(config)),
  }
  for (const [name, { level, finding, fix }] of Object.entries(findings)) {
    const line = `${paint(session, COLOURS[level], level.padEnd(5))}${name.padEnd(16)}${finding}`
    const hint = fix === undefined ? '' : `\n${' '.repeat(21)}→ ${fix}`
    session.show({ check: name, level, finding, fix: fix ?? null }, line + hint)
  }
  return Object.values(findings).some(({ level }) => level === 'FAIL') ? 1 : 0
}
