import { Standing } from '@standing/sdk'
import { expect, test } from 'vitest'
import { isWellFormed } from '../../src/auth/key-format.ts'
import { commandIn } from '../../test/support/command.ts'
import { newOwner, OPERATOR_KEY, PASSWORD, startService } from '../../test/support/service.ts'

const at = await startService({ STANDING_REGISTRATION: 'open' })

const run = commandIn({ STANDING_OPERATOR_KEY: OPERATOR_KEY, STANDING_BASE_URL: at.url })

/** Runs a command as an operator, or with this token as an owner. */
const typed = (line: string, token = '') => run(line, { STANDING_TOKEN: token })

const tokenIn = (said: string) => /token=([\w-]+)/.exec(said)?.[1] ?? ''
const idIn = (said: string) => /[\da-f-]{36}/.exec(said)?.[0] ?? ''

test('a reset link sets a new password', async () => {
  const { email } = await newOwner(at)
  const { code, said } = await typed(`owner reset-link ${email}`)
  expect(code).toBe(0)
  expect(said).toContain(`${at.url}/reset-password?token=`)
  const newPassword = 'a longer staple for a better horse'
  await at.anyone.auth.resetPassword({ token: tokenIn(said), newPassword })
  await at.anyone.auth.login({ email, password: newPassword })
  expect(await typed('owner reset-link nobody@example.com')).toMatchObject({
    code: 1,
    said: expect.stringContaining('NOT_FOUND'),
  })
})

test('an invited person opens an account with the printed link', async () => {
  const { said } = await typed('owner invite grace@example.com')
  const invitation = tokenIn(said)
  const person = { email: 'grace@example.com', password: PASSWORD, invitation }
  expect(await at.anyone.auth.register(person)).toMatchObject({ owner: { email: person.email } })
})

test('an operator suspends and activates an account by the e-mail of one of its members', async () => {
  const { email, client } = await newOwner(at)
  expect((await typed(`owner suspend ${email} --reason found`)).said).toContain('is now suspended')
  await expect(client.agents.list()).rejects.toMatchObject({ status: 403 })
  expect((await typed(`owner activate ${email}`)).said).toContain('is now active')
  await client.agents.list()
  expect((await typed('owner suspend nobody@example.com')).code).toBe(1)
})

test('an owner creates, lists and revokes keys of the account', async () => {
  const { token } = await newOwner(at)
  const { said } = await typed('key create server --scopes read,manage', token)
  const apiKey = /avw_\w+/.exec(said)?.[0] ?? ''
  const server = new Standing({ baseUrl: at.url, token: apiKey, retriesMax: 0 })
  await server.agents.register({ displayName: 'agent' })
  expect((await typed('key list', token)).said).toContain('active   server  (read, manage)')
  const revoke = `key revoke ${idIn(said)}`
  expect(await typed(revoke, token)).toMatchObject({
    code: 2,
    said: expect.stringMatching(/^This revokes the API key \S+ permanently\. Add --yes to do it\./),
  })
  await server.agents.list()
  expect((await typed(`${revoke} --yes`, token)).said).toContain('revoked  server')
  await expect(server.agents.list()).rejects.toMatchObject({ status: 401 })
  expect((await typed('key create server --scopes all', token)).code).toBe(1)
  expect((await typed('key list')).said).toContain('STANDING_TOKEN')
})

test('an owner invites people, changes their roles and removes them', async () => {
  const { token, email } = await newOwner(at)
  const { said } = await typed('member invite member@example.com --role viewer', token)
  const person = { email: 'member@example.com', password: PASSWORD, invitation: tokenIn(said) }
  await at.anyone.auth.register(person)
  const listed = (await typed('member list', token)).said
  expect(listed).toMatch(/viewer {2}member@example\.com\n/)
  expect(listed).toContain(`admin   ${email}  (owner)`)
  const id = idIn(listed)
  expect(await typed(`member set-role ${id} king`, token)).toMatchObject({
    code: 2,
    said: expect.stringMatching(/^ROLE must be one of admin, member, viewer, not king\./),
  })
  expect((await typed(`member set-role ${id} member`, token)).said).toContain('member')
  expect((await typed(`member remove ${id}`, token)).code).toBe(0)
  expect((await typed('member list', token)).said).not.toContain('member@example.com')
})

test('a person lists their sign-ins, and ends one of them', async () => {
  const { token, email, client } = await newOwner(at)
  const other = await at.anyone.auth.login({ email, password: PASSWORD })
  const [later, first] = (await typed('session list', token)).said.split('\n')
  expect(first).toMatch(/ \(this sign-in\)$/)
  expect((await typed(`session end ${idIn(later ?? '')}`, token)).said).toContain('has ended')
  expect((await typed('session list', other.token)).code).toBe(4)
  await client.auth.me()
})

test('a new key has a valid checksum, and an unknown kind of key is named in the error', async () => {
  for (const kind of ['operator', 'owner', 'platform']) {
    expect(isWellFormed((await typed(`key new ${kind}`)).said)).toBe(true)
  }
  expect((await typed('key new king')).said).toMatch(
    /^KIND must be one of operator, owner, platform, not king\./,
  )
})

test('an operator creates, rotates and revokes the keys of other accounts', async () => {
  const first = (await typed('operator create alice')).said.split('\n')[0] ?? ''
  const alice = new Standing({ baseUrl: at.url, operatorKey: first, retriesMax: 0 })
  await alice.operator.operators()
  expect((await typed('operator list')).said).toMatch(
    /^active {3}alice {2}key created 20[^ ]+Z, never used$/m,
  )
  const second = (await typed('operator rotate alice --overlap 0')).said.split('\n')[0] ?? ''
  await expect(alice.operator.operators()).rejects.toMatchObject({ status: 401 })
  await alice.with({ operatorKey: second }).operator.operators()
  expect((await typed('operator list')).said).toMatch(
    /^active {3}alice( {2}key created 20[^ ]+Z, never used){2}, ended at 20[^ ]+Z$/m,
  )
  expect((await typed('operator revoke alice')).said).toBe('alice is revoked')
  expect((await typed('operator list')).said).toMatch(
    /^revoked {2}alice( {2}key created 20[^ ]+Z, never used, ended at 20[^ ]+Z){2}$/m,
  )
  expect((await typed('operator revoke alice')).said).toBe('alice is revoked')
  expect((await typed('operator revoke unknown')).code).toBe(1)
})

test('a permanent command asks on a terminal, and does nothing unless the answer is yes', async () => {
  await typed('operator create bob')
  const asked = 'This revokes operator bob permanently. Type yes to do it: '
  for (const answer of ['no\n', '\n', 'y\n', '']) {
    expect(await run('operator revoke bob', {}, answer)).toEqual({
      code: 1,
      said: `${asked}Nothing was done.`,
      out: '',
    })
  }
  expect((await run('operator revoke bob', {}, 'yes\n')).said).toBe(`${asked}bob is revoked`)
  await typed('operator create bob')
  expect((await run('operator revoke bob --yes', {}, 'no\n')).said).toBe('bob is revoked')
})
