import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../../src/config.ts'
import { openService } from '../../../src/service.ts'
import { openSite } from '../browser/site.ts'
import { seed } from './seed.ts'

/** The service with some months behind it, and the dashboard in front, until it is stopped. */
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
  const config = readConfig({
    PORT: '0',
    STANDING_DATA_DIR: dataDir,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    STANDING_RATE_LIMITS: 'off',
    STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  })
  const service = await openService(config, pino({ level: config.logLevel }), { now: clock.now })
  const receiver = createServer((req, res) => {
    res.writeHead(req.url === '/broken' ? 500 : 200).end('thanks')
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const seeded = await seed({ url: service.url, operatorKey: OPERATOR_KEY, clock, hookUrl })
  offset = 0
  const site = await openSite({
    dist: join(process.cwd(), 'dist'),
    serviceUrl: service.url,
    port: Number(process.env.PORT ?? 0),
    base: process.env.BASE ?? '',
  })
  const told = { msg: 'demo', url: site.url, serviceUrl: service.url, operatorKey: OPERATOR_KEY }
  process.stdout.write(`${JSON.stringify({ ...told, ...seeded })}\n`)
  const stop = async () => {
    await site.close()
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
