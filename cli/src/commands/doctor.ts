import type { Config } from '../../../src/config.ts'
import type { InputOf, Session } from '../command.ts'
import { type Finding, guarded } from '../doctor/check.ts'
import { checkDatabase } from '../doctor/database.ts'
import {
  checkBinaries,
  checkDataDir,
  checkNode,
  checkPort,
  checkPrivacy,
} from '../doctor/machine.ts'
import { checkMail, checkProvider } from '../doctor/neighbours.ts'
import { checkSettings } from '../doctor/settings.ts'
import { paint } from '../output.ts'
import { configOf } from '../settings.ts'
import type { DOCTOR_OPTIONS } from '../table/service.ts'

const COLOURS = { ok: 'green', note: 'yellow', FAIL: 'red' } as const

export async function doctor(
  { options }: InputOf<typeof DOCTOR_OPTIONS>,
  session: Session,
): Promise<number> {
  const { config, finding } = checkSettings(session.env, () => configOf(session.env, options))
  const findings: Record<string, Finding> = {
    node: checkNode(),
    settings: finding,
    ...(config && (await checkAll(config))),
  }
  for (const [name, { level, finding, fix }] of Object.entries(findings)) {
    const line = `${paint(session, COLOURS[level], level.padEnd(5))}${name.padEnd(16)}${finding}`
    const hint = fix === undefined ? '' : `\n${' '.repeat(21)}→ ${fix}`
    session.show({ check: name, level, finding, fix: fix ?? null }, line + hint)
  }
  return Object.values(findings).some(({ level }) => level === 'FAIL') ? 1 : 0
}

async function checkAll(config: Config): Promise<Readonly<Record<string, Finding>>> {
  return {
    'data directory': await guarded(() => checkDataDir(config)),
    privacy: await guarded(() => checkPrivacy(config)),
    binaries: await guarded(() => checkBinaries(config)),
    ...(await checkDatabase(config)),
    port: await guarded(() => checkPort(config)),
    mail: await guarded(() => checkMail(config)),
    provider: await guarded(() => checkProvider(config)),
  }
}
