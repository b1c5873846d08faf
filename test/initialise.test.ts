import { Standing } from '@standing/sdk'
import { expect, test } from 'vitest'
import { newKey } from '../src/auth/key-format.ts'
import { UserError } from '../src/lib/user-error.ts'
import { refusal } from './support/http.ts'
import { newAgent, PASSWORD, startService } from './support/service.ts'

const OWNER = {
  STANDING_INIT_OWNER_EMAIL: 'Ada@example.com',
  STANDING_INIT_OWNER_PASSWORD: PASSWORD,
}
const keys = { owner: newKey('owner'), platform: newKey('platform') }
const INIT = {
  ...OWNER,
  STANDING_INIT_OWNER_KEY: keys.owner,
  STANDING_INIT_PLATFORM_NAME: 'Market',
  STANDING_INIT_PLATFORM_KEY: keys.platform,
}
const CLOSED = { STANDING_REGISTRATION: 'closed' }

const at = await startService({ ...INIT, ...CLOSED })

const login = (password: string) => at.anyone.auth.login({ email: 'ada@example.com', password })

test('the first start creates the owner, the owner’s key and the platform that the settings name', async () => {
  const { owner } = await login(PASSWORD)
  const client = new Standing({ baseUrl: at.url, token: keys.owner, retriesMax: 0 })
  const account = await client.auth.me()
  expect(account).toMatchObject({ id: owner.id, key: { name: 'init' } })
  expect(account.permissions).toEqual(['read', 'report', 'manage'])
  const platform = new Standing({ baseUrl: at.url, apiKey: keys.platform, retriesMax: 0 })
  const agent = await client.agents.register({ displayName: 'agent' })
  const event = await platform.events.submit(agent.id, { type: 'task.completed' })
  expect(event).toMatchObject({ isSelfReported: false, weight: 1 })
  const { data } = await at.operator.operator.listPlatforms()
  expect(data).toMatchObject([{ name: 'Market', tier: 'platform' }])
})

test('later starts change nothing, whatever the settings contain then', async () => {
  const { token } = await login(PASSWORD)
  const newPassword = 'a longer staple for a better horse'
  await at.anyone.with({ token }).auth.changePassword({ currentPassword: PASSWORD, newPassword })
  await at.node()
  await at.node({ STANDING_INIT_OWNER_EMAIL: 'grace@example.com', STANDING_INIT_OWNER_KEY: '' })
  await login(newPassword)
  expect((await at.operator.operator.listOwners()).data).toHaveLength(1)
  expect((await at.operator.operator.listPlatforms()).data).toHaveLength(1)
})

test('nodes that start together create each once', async () => {
  const other = await startService()
  await Promise.all([other.node(INIT), other.node(INIT), other.node(INIT)])
  expect((await other.operator.operator.listOwners()).data).toHaveLength(1)
  expect((await other.operator.operator.listPlatforms()).data).toHaveLength(1)
})

test('an existing account with the e-mail stays unchanged', async () => {
  const other = await startService()
  const { owner } = await newAgent(other)
  await other.node({ ...OWNER, STANDING_INIT_OWNER_EMAIL: owner.email })
  expect((await other.operator.operator.listOwners()).data).toMatchObject([{ id: owner.owner.id }])
})

test.each([
  [{ STANDING_INIT_OWNER_EMAIL: 'ada@example.com' }, 'STANDING_INIT_OWNER_PASSWORD'],
  [{ STANDING_INIT_PLATFORM_NAME: 'Market' }, 'STANDING_INIT_PLATFORM_KEY'],
  [{ ...OWNER, STANDING_INIT_OWNER_EMAIL: 'ada' }, 'STANDING_INIT_OWNER_EMAIL'],
  [{ ...OWNER, STANDING_INIT_OWNER_PASSWORD: 'short' }, 'at least 12 characters'],
  [{ ...OWNER, STANDING_INIT_OWNER_KEY: keys.platform }, 'STANDING_INIT_OWNER_KEY'],
  [{ ...INIT, STANDING_INIT_PLATFORM_KEY: `avp_${'0'.repeat(38)}` }, 'standing key new platform'],
])('invalid settings are named before anything is created: %j', async (env, named) => {
  const blank = Object.fromEntries(Object.keys(INIT).map((name) => [name, '']))
  const error = await at.node({ ...blank, ...env }).catch((one: unknown) => one)
  expect(error).toBeInstanceOf(UserError)
  expect(String(error)).toContain(named)
  expect((await refusal(login('not the password'))).status).toBe(401)
})

test('with the check of passwords enabled, an easily guessed password of the first owner is refused', async () => {
  const other = await startService()
  const weak = { ...OWNER, STANDING_INIT_OWNER_PASSWORD: 'ada@example.com' }
  const error = await other.node({ ...weak, STANDING_PASSWORD_CHECK: 'on' }).catch((one) => one)
  expect(error).toBeInstanceOf(UserError)
  expect(String(error)).toContain('STANDING_INIT_OWNER_PASSWORD is easy to guess')
  expect((await other.operator.operator.listOwners()).data).toEqual([])
})
