import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../src/lib/testing/free-port.ts'
import { databaseUrl } from './support/engine.ts'
import { type Answer, type Block, blocksOf, NPX, paste } from './support/pasted.ts'

const ROOT = join(import.meta.dirname, '..')
const OPERATOR_KEY = `avo_${'0'.repeat(32)}`

/** In one shell in an empty directory: each begins with what the ones before have left. */
const GUIDES = [
  'docs/accounts.md',
  'docs/import.md',
  'docs/replay.md',
  'docs/operating.md',
  'docs/upgrading.md',
]

/** Blocks that are not run here, by a part of them, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'git fetch --tags': 'there is no release to install yet',
  'git checkout v0.1.0': 'there is no release to go back to yet',
  'alter system': 'test/point-in-time runs it on a server of its own',
  pg_basebackup: 'test/point-in-time runs it on a server of its own',
  'recovery.signal': 'test/point-in-time runs it on a server of its own',
  'systemd-run': 'no container and no unit run here',
  'prometheus --config.file': 'it runs until it is stopped; promtool checks what it would read',
  ...(existsSync('/usr/bin/promtool') ? {} : { promtool: 'this machine has no Prometheus' }),
}

/** What the reader fills in or does meanwhile, by a part of the block. */
const BEFORE: Readonly<Record<string, string>> = {
  // Ada opens the account by the link, before she forgets the password.
  'owner reset-link': `curl -sf $STANDING_URL/v1/auth/register -H 'content-type: application/json' \\
    -d '{"email":"ada@example.com","password":"correct horse battery staple"}' > /dev/null`,
  // The erasure before took the account.
  'examples/past.jsonl': `export STANDING_TOKEN=$(curl -s $STANDING_URL/v1/auth/register \\
    -H 'content-type: application/json' \\
    -d '{"email":"grace@example.com","password":"correct horse battery staple"}' \\
    | node -pe "JSON.parse(require('fs').readFileSync(0)).token")`,
  'tar -czf': 'stop_service',
  'npx standing secret rotate': 'npm start',
  'restore move.backup': 'stop_service',
}

/** Why a block is not run here; null where it is. */
function reasonOf({ code }: Block): string | null {
  const [, reason = null] = Object.entries(NOT_RUN).find(([part]) => code.includes(part)) ?? []
  return reason
}

/** Some fifty processes: by `npm run test:guides`, as CI does. */
const IS_RUN = process.env.OPERATOR_GUIDES === 'on'

const BLOCKS = GUIDES.flatMap(blocksOf).map((block) => ({ ...block, reason: reasonOf(block) }))
const home = IS_RUN ? await mkdtemp(join(tmpdir(), 'standing-operator-guides-')) : ''
const database = `guides_${randomBytes(6).toString('hex')}`
const admin = new pg.Client({ connectionString: inject('engine') })

/** `npm start` goes on in the background, as in another terminal, until the next one or the end. */
const SHELL = `${NPX}
stop_service() {
  if [ -n "$SERVICE" ]; then kill -TERM "$SERVICE"; wait "$SERVICE"; SERVICE=; fi
}
npm() {
  stop_service
  : > service.log
  command npm "$@" > service.log 2>&1 &
  SERVICE=$!
  for _ in $(seq 600); do
    if grep -q '"msg":"listening"' service.log; then return 0; fi
    if ! kill -0 "$SERVICE" 2> /dev/null; then break; fi
    sleep 0.1
  done
  cat service.log
  return 1
}
trap stop_service EXIT
# Not the last command of a block alone has to succeed.
trap 'echo "@@@ failed: $BASH_COMMAND"' ERR
exec 2>&1
npm start`

/** As printed, but for what a reader fills in. The service listens on this machine alone. */
function asPasted(code: string, url: string): string {
  return code
    .replaceAll('http://127.0.0.1:8080', url)
    .replace('avo_…', OPERATOR_KEY)
    .replace('postgres://standing:…@db.internal/standing', `'${urlOf('server')}'`)
    .replace('postgres://…', `'${urlOf('moved')}'`)
    .replace('HOST=0.0.0.0', 'HOST=127.0.0.1')
    .replace('/the/other/place/', '.standing/')
}

/** The role that the guide creates owns the databases. */
function urlOf(name: 'server' | 'moved'): string {
  const url = new URL(databaseUrl(inject('engine'), `${database}_${name}`))
  url.username = database
  return url.href
}

let answerTo: (place: number) => Answer

async function pasteAll(): Promise<void> {
  for (const name of ['deploy', 'examples', 'node_modules', 'package.json', 'scripts', 'src']) {
    await symlink(join(ROOT, name), join(home, name))
  }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const scripts = BLOCKS.map(({ code, reason }) => {
    const [, before = ''] = Object.entries(BEFORE).find(([part]) => code.includes(part)) ?? []
    return reason === null ? `${before}\n${asPasted(code, url)}` : null
  })
  answerTo = await paste(home, SHELL, scripts, {
    PORT: String(port),
    OPERATOR_KEY,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    STANDING_RATE_LIMITS: 'off',
    STANDING_SHUTDOWN_GRACE: '0',
  })
}

/** Half a dozen starts of the service, and a process for each command. */
const PASTE_MS = 400_000

beforeAll(async () => {
  if (!IS_RUN) {
    return
  }
  await admin.connect()
  const text = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
  const [, sql = ''] = /^```sql\n(.*?)^```$/ms.exec(text) ?? []
  for (const statement of sql.trim().split('\n')) {
    const own = statement.replaceAll(/\bstanding\b/g, database)
    await admin.query(own.replace(`database ${database}`, `database ${database}_server`))
  }
  await admin.query(`create database ${database}_moved owner ${database}`)
  await pasteAll()
}, PASTE_MS)

afterAll(async () => {
  if (!IS_RUN) {
    return
  }
  await rm(home, { recursive: true, force: true })
  await admin.query(`drop database if exists ${database}_server with (force)`)
  await admin.query(`drop database if exists ${database}_moved with (force)`)
  await admin.query(`drop role if exists ${database}`)
  await admin.end()
})

describe.runIf(IS_RUN)('a block that is pasted on a fresh machine works', () => {
  for (const [i, { guide, code, reason }] of BLOCKS.entries()) {
    const name = `${guide}: ${code.split('\n')[0]}`
    test.skipIf(reason !== null)(reason === null ? name : `${name} (not run: ${reason})`, () => {
      const { code: ended, said } = answerTo(i)
      expect(ended, said).toBe('0')
      expect(said).not.toMatch(/@@@ failed|"error":\{|Error:|command not found|undefined/)
    })
  }
})

/** What the block of a page says that has this part. */
function saidBy(guide: string, part: string): string {
  return answerTo(BLOCKS.findIndex((one) => one.guide === guide && one.code.includes(part))).said
}

test.runIf(IS_RUN).each([
  ['owner invite', /127\.0\.0\.1:\d+\/invitation\?token=\S/],
  ['owner reset-link', /127\.0\.0\.1:\d+\/reset-password\?token=\S/],
  ['member invite', /127\.0\.0\.1:\d+\/invitation\?token=\S/],
  ['key create', /avw_[0-9A-Za-z]{38}[\s\S]*billing server {2}\(read, manage\) {2}never used/],
  ['owner suspend', /is now suspended/],
  ['key new', /avo_\w+[\s\S]*avw_\w+[\s\S]*avp_\w+/],
])('the accounts guide: %s prints what the guide shows', (part, promised) => {
  expect(saidBy('docs/accounts.md', part)).toMatch(promised)
})

test.runIf(IS_RUN)('the accounts guide: an export begins with the agent', async () => {
  const [agent = ''] = (await readFile(join(home, 'agent.jsonl'), 'utf8')).split('\n')
  expect(JSON.parse(agent)).toMatchObject({
    kind: 'agent',
    data: { displayName: 'invoice-reconciler' },
  })
})

test.runIf(IS_RUN)('the example of an import gives the score that its dry run showed', () => {
  const said = saidBy('docs/import.md', 'examples/past.jsonl')
  const scores = [...said.matchAll(/^[0-9a-f-]{36}\s+(\d+)$/gm)].map(([, score]) => Number(score))
  expect(scores).toEqual([700, 700])
})
