import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { eventually } from '../support/eventually.ts'
import { holdLocks, lockAgent, RETRIED, waitForLocks } from '../support/hold-locks.ts'
import { newAgent, newOwner, PASSWORD, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
afterAll(() => pool.end())

const NEW_PASSWORD = 'a stapled horse is correct'

/** Changes of one account that are in progress at a time (src/http/intake.ts). */
const RUNNING = 4

/** Eight changes of an agent that another transaction has locked: four are in progress, and four wait for room. */
async function changesInAQueue(
  { agent, owner }: Awaited<ReturnType<typeof newAgent>>,
  as = owner.client,
) {
  const unlock = await lockAgent(pool, agent.id)
  const changes = Array.from({ length: 2 * RUNNING }, (_, i) =>
    as.agents.update(agent.id, { displayName: `change ${i}` }),
  )
  const outcomes = Promise.all(
    changes.map((one) =>
      one.then(
        () => 'changed',
        ({ code }) => code,
      ),
    ),
  )
  await waitForLocks(pool, RUNNING, ...changes)
  await eventually(async () => expect(await waitingChanges()).toBe(RUNNING))
  return { unlock, outcomes }
}

async function waitingChanges(): Promise<number> {
  const text = await (await fetch(`${at.url}/metrics`)).text()
  const [, count] = /^standing_queue_waiting\{queue="change"\} (\d+)$/m.exec(text) ?? []
  return Number(count)
}

test(
  'a request that waits for room while its account is suspended is refused',
  RETRIED,
  async () => {
    const known = await newAgent(at)
    const { unlock, outcomes } = await changesInAQueue(known)
    await at.operator.operator.updateOwner(known.owner.owner.id, { status: 'suspended' })
    await unlock()
    expect((await outcomes).sort()).toEqual([
      ...Array(RUNNING).fill('FORBIDDEN'),
      ...Array(RUNNING).fill('changed'),
    ])
  },
)

test(
  'a key that sends more changes than there is room for does not delay its revocation',
  RETRIED,
  async () => {
    const known = await newAgent(at)
    const { client } = known.owner
    const key = await client.keys.create({ name: 'leaked', scopes: ['manage'] })
    const { unlock, outcomes } = await changesInAQueue(known, at.anyone.with({ token: key.apiKey }))
    await client.keys.revoke(key.id)
    await unlock()
    expect((await outcomes).filter((one) => one === 'AUTHENTICATION_REQUIRED')).toHaveLength(
      RUNNING,
    )
  },
)

type Owner = Awaited<ReturnType<typeof newAgent>>['owner']

const lockOwner = (ownerId: string) =>
  holdLocks(pool, { text: 'select from owners where id = $1 for update', values: [ownerId] })

test.each<[string, (owner: Owner, agentId: string) => Promise<unknown>, 'owner' | 'agent']>([
  [
    'API key is created',
    ({ client }) => client.keys.create({ name: 'late', scopes: ['manage'] }),
    'owner',
  ],
  [
    'agent is offered to others',
    ({ client }, id) => client.transfers.offer(id, { toOwnerEmail: 'late@example.com' }),
    'agent',
  ],
  ['agent is erased', ({ client }, id) => client.agents.erase(id), 'owner'],
  ['account is erased', ({ client, email }) => client.auth.erase(email), 'owner'],
])('no %s after the person’s sign-ins have ended', RETRIED, async (_, act, locked) => {
  const { agent, owner } = await newAgent(at)
  const { link } = await at.operator.operator.createResetLink(owner.email)
  const token = new URL(link).searchParams.get('token') ?? ''
  const unlock = await (locked === 'agent' ? lockAgent(pool, agent.id) : lockOwner(owner.owner.id))
  const acting = act(owner, agent.id)
  const refused = expect(acting).rejects.toMatchObject({ code: 'AUTHENTICATION_REQUIRED' })
  await waitForLocks(pool, 1, acting)
  await at.anyone.auth.resetPassword({ token, newPassword: NEW_PASSWORD })
  await unlock()
  await refused
})

test('no sign-in by the former password outlives a new one', RETRIED, async () => {
  const { email } = await newOwner(at)
  const { link } = await at.operator.operator.createResetLink(email)
  const token = new URL(link).searchParams.get('token') ?? ''
  // Written when the password has been checked, before the session begins.
  const unlock = await holdLocks(pool, { text: 'lock table login_successes in exclusive mode' })
  const signedIn = at.anyone.auth.login({ email, password: PASSWORD })
  const refused = expect(signedIn).rejects.toMatchObject({
    code: 'AUTHENTICATION_REQUIRED',
    details: { reason: 'wrong_login' },
  })
  await waitForLocks(pool, 1, signedIn)
  await at.anyone.auth.resetPassword({ token, newPassword: NEW_PASSWORD })
  await unlock()
  await refused
})

test(
  'a session ends after the API key that it is creating, so that its person sees the key',
  RETRIED,
  async () => {
    const { client, email } = await newOwner(at)
    const [current] = (await client.auth.sessions()).data
    const { token } = await at.anyone.auth.login({ email, password: PASSWORD })
    const person = at.anyone.with({ token })
    const unlock = await holdLocks(pool, { text: 'lock table owner_keys in exclusive mode' })
    const order: string[] = []
    const created = client.keys
      .create({ name: 'late', scopes: ['manage'] })
      .then(() => order.push('created'))
    await waitForLocks(pool, 1, created)
    const ended = person.auth.endSession(current?.id ?? '').then(() => order.push('ended'))
    await waitForLocks(pool, 2, created, ended)
    await unlock()
    await Promise.all([created, ended])
    expect(order).toEqual(['created', 'ended'])
  },
)

test('of password changes at once, one is made', async () => {
  const { client } = await newOwner(at)
  const changes = await Promise.allSettled(
    Array.from({ length: 4 }, (_, i) =>
      client.auth.changePassword({
        currentPassword: PASSWORD,
        newPassword: `${NEW_PASSWORD} ${i}`,
      }),
    ),
  )
  expect(changes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(changes.filter(({ status }) => status === 'rejected')).toHaveLength(3)
})

test('a request whose account is removed after it was authenticated gets an error that says so', async () => {
  const { client, owner } = await newOwner(at)
  await client.auth.me()
  // Not through the service, which would end the sign-in with it.
  await pool.query('delete from members where id = $1', [owner.id])
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  await expect(client.auth.changePassword(change)).rejects.toMatchObject({
    code: 'AUTHENTICATION_REQUIRED',
    message: 'this account was removed',
  })
})
