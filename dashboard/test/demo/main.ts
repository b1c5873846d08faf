import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { aborted, untilSignal } from '../../../cli/src/until-signal.ts'
import { readConfig } from '../../../src/config.ts'
import { openService } from '../../../src/service.ts'
import { seed } from './seed.ts'

/** A service with some months of events, until it is stopped. */
const OPERATOR_KEY = `avo_${'0'.repeat(32)}`

async function main(stopped: AbortSignal): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'standing-demo-'))
  try {
    await runDemo(dataDir, stopped)
  } catch (error) {
    // What was not done yet when the demo was stopped fails.
    if (!stopped.aborted) {
      throw error
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function runDemo(dataDir: string, stopped: AbortSignal): Promise<void> {
  let offset = 0
  const clock = {
    now: () => Date.now() + offset,
    moveTo: (time: number) => {
      offset = time - Date.now()
    },
  }
  const { PORT = '0', DAYS = '365', STANDING_BASE_URL } = process.env
  const config = readConfig({
    PORT,
    STANDING_DATA_DIR: dataDir,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    STANDING_RATE_LIMITS: 'off',
    STANDING_LEADERBOARD: 'on',
    STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'error',
    ...(STANDING_BASE_URL === undefined ? {} : { STANDING_BASE_URL }),
  })
  const service = await openService(config, pino({ level: config.logLevel }), { now: clock.now })
  const receiver = createServer((req, res) => {
    res.writeHead(req.url === '/broken' ? 500 : 200).end('thanks')
  })
  try {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const { url } = service
    const filling = seed({ url, operatorKey: OPERATOR_KEY, clock, hookUrl, days: Number(DAYS) })
    // What a stop leaves of it fails as soon as the service is closed.
    const seeded = await Promise.race([filling, aborted(stopped)])
    if (!seeded) {
      return
    }
    offset = 0
    process.stdout.write(
      `${JSON.stringify({ msg: 'demo', url, operatorKey: OPERATOR_KEY, ...seeded })}\n`,
    )
    await aborted(stopped)
  } finally {
    receiver.close()
    receiver.closeAllConnections()
    await service.close()
  }
}

await untilSignal(main)
process.exit(0)
