import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Standing } from '@standing/sdk'
import { expect, onTestFinished, test } from 'vitest'
import { commandIn } from './support/command.ts'
import { eventually } from './support/eventually.ts'
import { openHere } from './support/here.ts'
import { newDirectory } from './support/once.ts'
import { OPERATOR_KEY, PASSWORD } from './support/service.ts'

const BIN = '/usr/lib/postgresql/15/bin'
const run = promisify(execFile)
const dir = await newDirectory('point-')

/** The blocks of the section, as printed but for their directories. */
const page = readFileSync(join(import.meta.dirname, '../docs/operating.md'), 'utf8')
const section = page.slice(page.indexOf('### Point in time'), page.indexOf('### With the service'))
const [archive = '', base = '', restore = ''] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(
  ([, code = '']) => code.replaceAll('/archive', `${dir}/archive`).replaceAll('/backup', dir),
)

/** As the user of the server, who is not root. */
function asServer(script: string) {
  const env = `export PATH=${BIN}:$PATH PGHOST=${dir} PGPORT=5432 PGDATABASE=postgres`
  const all = `set -e; cd ${dir}; ${env}; ${script}`
  return process.getuid?.() === 0
    ? run('runuser', ['-u', 'postgres', '--', 'bash', '-c', all])
    : run('bash', ['-c', all])
}

test.skipIf(!existsSync(BIN))(
  'an external database is restored to a moment, and everything stored follows from its log',
  async () => {
    await chmod(dir, 0o777)
    onTestFinished(async () => {
      // Whichever of them runs.
      for (const data of ['main', 'base']) {
        await asServer(`pg_ctl -w -m immediate -D ${dir}/${data} stop`).catch(() => {})
      }
    })
    const settings = `listen_addresses = ''\nunix_socket_directories = '${dir}'\n`
    await writeFile(join(dir, 'settings'), settings, { mode: 0o644 })
    const log = `-l ${dir}/server.log`
    const start = `pg_ctl -w -D ${dir}/main ${log} start`
    await asServer(
      `mkdir archive; initdb -A trust -D main > init.log; cat settings >> main/postgresql.conf; ${start}
       createuser standing; createdb -O standing standing; ${archive}
       pg_ctl -w -D ${dir}/main ${log} restart`,
    )
    const env = {
      DATABASE_URL: `postgres://standing@localhost/standing?host=${encodeURIComponent(dir)}`,
      STANDING_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      STANDING_OPERATOR_KEY: OPERATOR_KEY,
      STANDING_DATA_DIR: join(dir, 'data'),
    }
    await mkdir(env.STANDING_DATA_DIR, { mode: 0o700 })
    const first = await openHere(env)
    const operator = new Standing({ baseUrl: first.url, operatorKey: OPERATOR_KEY })
    const { token } = await operator.auth.register({ email: 'a@example.com', password: PASSWORD })
    const owner = new Standing({ baseUrl: first.url, token })
    const agent = await owner.agents.register({ displayName: 'a' })
    const { apiKey } = await operator.operator.createPlatform({ name: 'b', verified: true })
    const platform = new Standing({ baseUrl: first.url, apiKey })
    const report = (events: number) =>
      platform.events.report(
        agent.id,
        Array.from({ length: events }, () => ({ type: 'task.completed' as const })),
      )
    await report(3)
    await asServer(base)
    await report(4)
    const { stdout: moment } = await asServer(`psql -Atc 'select clock_timestamp()'`)
    await report(5)
    await first.close()
    await asServer(`psql -qAtc 'select pg_switch_wal()'; pg_ctl -w -m fast -D ${dir}/main stop`)
    const named = restore.replace(
      /recovery_target_time = '.*'/,
      `recovery_target_time = '${moment.trim()}'`,
    )
    await asServer(named.replace('start\n', `${log} start\n`))
    // It is called started as soon as it can be read, which is before it can be written.
    await eventually(async () => {
      const { stdout } = await asServer(`psql -Atc 'select pg_is_in_recovery()'`)
      expect(stdout.trim()).toBe('f')
    })
    const again = await openHere(env)
    const score = await new Standing({ baseUrl: again.url }).score.get(agent.id)
    expect(score.eventCount).toBe(7)
    await again.close()
    const { code, said } = await commandIn(env)(['score', 'replay', '--all'])
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('7 events') })
  },
  120_000,
)
