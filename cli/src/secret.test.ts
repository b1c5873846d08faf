import { randomBytes } from 'node:crypto'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Standing } from '@standing/sdk'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { commandIn } from '../../test/support/command.ts'
import { createDataDir } from '../../test/support/data-dir.ts'
import { createDatabase } from '../../test/support/database.ts'
import { complaintOf, openHere } from '../../test/support/here.ts'
import { newDirectory } from '../../test/support/once.ts'
import { runService } from '../../test/support/process.ts'
import { PASSWORD } from '../../test/support/service.ts'

const dir = await newDirectory('secret-')

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

/** Does something while a service of these settings runs. */
async function during<T>(env: Readonly<Record<string, string>>, act: (url: string) => Promise<T>) {
  const service = await openHere(env)
  try {
    return await act(service.url)
  } finally {
    await service.close()
  }
}

describe('the master key next to the embedded database', () => {
  const data = join(dir, 'data')
  const env = { STANDING_DATA_DIR: data }
  beforeAll(() => createDataDir(data))

  test('is replaced while the service runs; earlier and later credentials verify, also after a restart', async () => {
    // In a process of its own, as an operator has it.
    const service = await runService(env)
    const { issue, credential, client, agent } = await withCredential(service.url)
    const before = await readFile(join(data, 'secret.key'), 'utf8')
    expect(await typed(['secret', 'rotate'], env)).toMatchObject({ code: 0 })
    const after = await readFile(join(data, 'secret.key'), 'utf8')
    expect(after).not.toBe(before)
    expect((await stat(join(data, 'secret.key'))).mode & 0o777).toBe(0o600)
    const later = await issue()
    await service.stop()
    await during(env, async (baseUrl) => {
      const anyone = new Standing({ baseUrl })
      for (const { jwt } of [credential, later]) {
        expect(await anyone.credentials.verify(jwt)).toMatchObject({ valid: true })
      }
      // The token from before, too, and what was encrypted is still read.
      const owner = client.with({ baseUrl })
      expect(await owner.agents.get(agent.id)).toMatchObject({ displayName: 'agent' })
      expect(
        await owner.credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} }),
      ).toMatchObject({ status: 'active' })
    })
    await writeFile(join(data, 'secret.key'), before)
    expect(await complaintOf(env)).toContain('is not the one that this database was set up with')
    await writeFile(join(data, 'secret.key'), after)
  })

  test('is named when it is missing, and no new one is created', async () => {
    await rename(join(data, 'secret.key'), join(data, 'kept'))
    expect(await complaintOf(env)).toContain('is missing, and the database beside it')
    await expect(stat(join(data, 'secret.key'))).rejects.toThrow('ENOENT')
    await rename(join(data, 'kept'), join(data, 'secret.key'))
  })

  test('keeps its new value when an interrupted rotation is run again', async () => {
    const next = randomBytes(32).toString('base64')
    // The state after a kill behind the first step: the new key is in its file, and is used nowhere.
    await writeFile(join(data, 'secret.key.next'), next, { mode: 0o600 })
    await during(env, async () => {})
    expect(await typed(['secret', 'rotate'], env)).toMatchObject({ code: 0 })
    expect((await readFile(join(data, 'secret.key'), 'utf8')).trim()).toBe(next)
    await during(env, async () => {})
  })
})

test('several nodes accept both keys of STANDING_SECRET_KEY until the old one is removed', async () => {
  const database = await createDatabase()
  const old = {
    DATABASE_URL: database.url,
    STANDING_SECRET_KEY: randomBytes(32).toString('base64'),
  }
  const one = await openHere(old)
  onTestFinished(async () => void (await one.close()))
  const { credential } = await withCredential(one.url)
  const { said } = await typed(['secret', 'rotate'], old)
  const key = /new master key: (\S+)/.exec(said)?.[1] ?? ''
  const renewed = { ...old, STANDING_SECRET_KEY: key }
  await during(renewed, async (two) => {
    const verified = async (url: string) =>
      (await new Standing({ baseUrl: url }).credentials.verify(credential.jwt)).valid
    expect([await verified(one.url), await verified(two)]).toEqual([true, true])
    await one.close()
    // A node that was not given the new key yet still starts.
    await during(old, async () => {})
    expect(await typed(['secret', 'finish'], renewed)).toMatchObject({ code: 0 })
    expect(await complaintOf(old)).toContain('is not the one')
    expect(await verified(two)).toBe(true)
  })
  await database.drop()
})
