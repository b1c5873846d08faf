import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../../src/config.ts'
import { openService } from '../../../src/service.ts'
import { seed } from './seed.ts'

/** A service with some months of events, until it is stopped. */
const OPERATOR_KEY = `avo_${'0'.repeat(32)}`

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'standing-demo-'))
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
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const { url } = service
  const seeded = await seed({
    url,
    operatorKey: OPERATOR_KEY,
    clock,
    hookUrl,
    days: Number(DAYS),
  })
  offset = 0
  process.stdout.write(
    `${JSON.stringify({ msg: 'demo', url, operatorKey: OPERATOR_KEY, ...seeded })}\n`,
  )
  const stop = async () => {
    receiver.close()
    receiver.closeAllConnections()
    await service.close()
    await rm(dataDir, { recursive: true, force: true })
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

void main()
