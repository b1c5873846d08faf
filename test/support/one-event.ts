import { Standing } from '@standing/sdk'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { openService } from '../../src/service.ts'

type Settings = Readonly<Record<string, string>>

/** A service with these settings, and a platform that reports one event at each call. */
export async function platformOfService(settings: Settings, password: string) {
  const service = await openService(readConfig(settings), pino({ level: 'silent' }))
  const operatorKey = settings.STANDING_OPERATOR_KEY
  const anyone = new Standing({ baseUrl: service.url, retriesMax: 0 })
  const { token } = await anyone.auth.register({ email: 'ada@example.com', password })
  const agent = await anyone.with({ token }).agents.register({ displayName: 'agent' })
  const { apiKey } = await anyone
    .with({ operatorKey })
    .operator.createPlatform({ name: 'platform', verified: true })
  const { events } = anyone.with({ apiKey })
  return {
    report: () => events.submit(agent.id, { type: 'task.completed' }),
    close: () => service.close(),
  }
}
