import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { refusal } from '../support/http.ts'
import { newOwner, PASSWORD, startService } from '../support/service.ts'

const BREACHED = 'yellow submarine in a sea of green'
const dir = await mkdtemp(join(tmpdir(), 'standing-passwords-'))
afterAll(() => rm(dir, { recursive: true }))
const list = join(dir, 'breached.txt')
await writeFile(list, `${createHash('sha1').update(BREACHED).digest('hex').toUpperCase()}:3\n`)

const at = await startService({
  STANDING_PASSWORD_CHECK: 'on',
  STANDING_BREACHED_PASSWORDS: list,
})
const { anyone, operator } = at

const refusedAs = (path: string, code: string) => ({
  status: 400,
  code: 'VALIDATION_ERROR',
  details: { issues: [{ path, code }] },
})

test.each([
  ['a common password', 'qwertyuiop123', 'guessable_password'],
  ['the name of the product', 'standing2026', 'guessable_password'],
  ['the own name', 'Grace.Hopper', 'guessable_password'],
  ['a breached password', BREACHED, 'breached_password'],
])('%s cannot be used to open an account', async (_what, password, code) => {
  const person = { email: 'grace@example.com', name: 'Grace Hopper' }
  const error = await refusal(anyone.auth.register({ ...person, password }))
  expect(error).toMatchObject(refusedAs('password', code))
  expect(JSON.stringify(error.details)).not.toContain(password)
})

test('a new password must not be easy to guess, at a change and with a link', async () => {
  const owner = await newOwner(at)
  for (const [newPassword, code] of [
    [owner.email, 'guessable_password'],
    ['iloveyou2026', 'guessable_password'],
    [BREACHED, 'breached_password'],
  ] as const) {
    const change = owner.client.auth.changePassword({ currentPassword: PASSWORD, newPassword })
    expect(await refusal(change)).toMatchObject(refusedAs('newPassword', code))
    const { link } = await operator.operator.createResetLink(owner.email)
    const token = new URL(link).searchParams.get('token') ?? ''
    const reset = anyone.auth.resetPassword({ token, newPassword })
    expect(await refusal(reset)).toMatchObject(refusedAs('newPassword', code))
  }
  const newPassword = 'a longer staple for a better horse'
  await owner.client.auth.changePassword({ currentPassword: PASSWORD, newPassword })
  await anyone.auth.login({ email: owner.email, password: newPassword })
})

test('a refused password does not use up its link', async () => {
  const owner = await newOwner(at)
  const { link } = await operator.operator.createResetLink(owner.email)
  const token = new URL(link).searchParams.get('token') ?? ''
  const weak = anyone.auth.resetPassword({ token, newPassword: 'iloveyou2026' })
  expect((await refusal(weak)).status).toBe(400)
  const page = await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ token, password: 'iloveyou2026' }),
  })
  expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('easy to guess')])
  await anyone.auth.resetPassword({ token, newPassword: 'a longer staple for a better horse' })
})
