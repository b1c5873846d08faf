// npm run release:fixture: makes test/releases/VERSION.backup, the database of this release with some of
// everything in it, and VERSION.json, what a later release has to find in it. Made once for each release,
// with the code of that release; test/upgrade.test.ts restores and upgrades every one of them.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import { pino } from 'pino'
import { run } from '../../cli/src/run.ts'
import { readConfig } from '../../src/config.ts'
import { openService } from '../../src/service.ts'
import { readOptions } from '../options.ts'
import { fillRelease } from './contents.ts'

const USAGE = `npm run release:fixture

Makes test/releases/VERSION.backup and VERSION.json, the database of this release and what a later release
has to find in it. Files of the same version are replaced.`

const OPERATOR_KEY = `avo_${'0'.repeat(32)}`

readOptions(USAGE, {})

const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string }
const dir = await mkdtemp(join(tmpdir(), 'standing-release-'))
const env = {
  PORT: '0',
  STANDING_DATA_DIR: dir,
  STANDING_OPERATOR_KEY: OPERATOR_KEY,
  // The address that signatures name: the same wherever the fixture is used.
  STANDING_BASE_URL: 'https://standing.example.com',
  STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
}
const service = await openService(readConfig(env), pino({ level: 'error' }))
const client = (credential: object) => new Standing({ baseUrl: service.listensOn, ...credential })
const expected = await fillRelease(client, OPERATOR_KEY)
await service.close()
const file = join('test', 'releases', `${version}.backup`)
await rm(file, { force: true })
const code = await run(['backup', file, '--with-key'], {
  env,
  say: (line) => process.stdout.write(`${line}\n`),
  stderr: process.stderr,
})
await rm(dir, { recursive: true })
await writeFile(
  join('test', 'releases', `${version}.json`),
  `${JSON.stringify(expected, null, 2)}\n`,
)
process.exit(code)
