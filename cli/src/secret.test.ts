import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { commandIn } from '../../test/support/command.ts'
import { createDatabase } from '../../test/support/database.ts'
import { runService } from '../../test/support/process.ts'
import { PASSWORD } from '../../test/support/service.ts'

const dir = await mkdtemp(join(tmpdir(), 'standing-secret-'))
afterAll(() => rm(dir, { recursive: true, force: true }))

const typed = commandIn({})

/** An owner with a credential, which is signed by a key that is encrypted under the master key. */
async function withCredential(url: string) {
  const anyone = new Standing({ baseUrl: url })
  const { token } = await anyone.auth.register({ email: 'ada@example.com', password: PASSWORD })
  const client = anyone.with({ token })
  const agent = await client.agents.register({ displayName: 'agent' })
  const issue = () =>
    client.credentials.issue({ agentId: agent.id, type: 'Audit', claims: { a: 1 } })
  return { client, agent, issue, credential: await issue() }
}

describe('the master key beside the embedded database', () => {
  const data = join(dir, 'data')
  const env = { STANDING_DATA_DIR: data }

  test('is replaced while the service runs; earlier and later credentials verify, also after a restart', async () => {
    const service = await runService(env)
    const { issue, credential, client, agent } = await withCredential(service.url)
    const before = await readFile(join(data, 'secret.key'), 'utf8')
    expect(await typed(['secret', 'rotate'], env)).toMatchObject({ code: 0 })
    const after = await readFile(join(data, 'secret.key'), 'utf8')
    expect(after).not.toBe(before)
    expect((await stat(join(data, 'secret.key'))).mode & 0o777).toBe(0o600)
    const later = await issue()
    await service.stop()
    const again = await runService(env)
    const anyone = new Standing({ baseUrl: again.url })
    for (const { jwt } of [credential, later]) {
      expect(await anyone.credentials.verify(jwt)).toMatchObject({ valid: true })
    }
    // The token from before, too, and what was encrypted is still read.
    const owner = client.with({ baseUrl: again.url })
    expect(await owner.agents.get(agent.id)).toMatchObject({ displayName: 'agent' })
    expect(
      await owner.credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} }),
    ).toMatchObject({ status: 'active' })
    await again.stop()
    await writeFile(join(data, 'secret.key'), before)
    await expect(runService(env)).rejects.toThrow(
      'is not the one that this database was set up with',
    )
    await writeFile(join(data, 'secret.key'), after)
  })

  test('that is missing is named, and no other is made', async () => {
    await rename(join(data, 'secret.key'), join(data, 'kept'))
    await expect(runService(env)).rejects.toThrow('is missing, and the database beside it')
    await expect(stat(join(data, 'secret.key'))).rejects.toThrow('ENOENT')
    await rename(join(data, 'kept'), join(data, 'secret.key'))
  })

  test('cut short at any point, the rotation goes on with the same key', async () => {
    const next = randomBytes(32).toString('base64')
    // As a kill leaves it behind the first step: the new key is in its file, and counts nowhere.
    await writeFile(join(data, 'secret.key.next'), next, { mode: 0o600 })
    const service = await runService(env)
    await service.stop()
    expect(await typed(['secret', 'rotate'], env)).toMatchObject({ code: 0 })
    expect((await readFile(join(data, 'secret.key'), 'utf8')).trim()).toBe(next)
    await (await runService(env)).stop()
  })
})

test('STANDING_SECRET_KEY of several nodes: both keys work until the old one is ended', async () => {
  const database = await createDatabase()
  const old = {
    DATABASE_URL: database.url,
    STANDING_SECRET_KEY: randomBytes(32).toString('base64'),
  }
  const one = await runService(old)
  const { credential } = await withCredential(one.url)
  const { said } = await typed(['secret', 'rotate'], old)
  const key = /new master key: (\S+)/.exec(said)?.[1] ?? ''
  const renewed = { ...old, STANDING_SECRET_KEY: key }
  const two = await runService(renewed)
  const verified = async (url: string) =>
    (await new Standing({ baseUrl: url }).credentials.verify(credential.jwt)).valid
  expect([await verified(one.url), await verified(two.url)]).toEqual([true, true])
  await one.stop()
  // A node that was not given the new key yet still starts.
  await (await runService(old)).stop()
  expect(await typed(['secret', 'finish'], renewed)).toMatchObject({ code: 0 })
  await expect(runService(old)).rejects.toThrow('is not the one')
  expect(await verified(two.url)).toBe(true)
  await two.stop()
  await database.drop()
}, 90_000)
