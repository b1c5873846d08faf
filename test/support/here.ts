import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { openService, type Service } from '../../src/service.ts'
import { explain } from '../../src/startup-errors.ts'

type Env = Readonly<Record<string, string>>

/** A start in this process, as the service does it in its own. */
export function openHere(env: Env): Promise<Service> {
  return openService(readConfig({ PORT: '0', ...env }), pino({ level: 'silent' }))
}

/** The sentence with which a start that fails ends. */
export async function complaintOf(env: Env): Promise<string> {
  try {
    await (await openHere(env)).close()
  } catch (error) {
    return explain(error)
  }
  throw new Error('expected not to start')
}
