import { Standing } from '@standing/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { refusal } from '../support/http.ts'
import { startMailServer } from '../support/mail.ts'
import { newAgent, newOwner, PASSWORD, startService } from '../support/service.ts'

const mail = await startMailServer()
const clock = createTestClock('2026-06-15T11:00:00.000Z')
const at = await startService(
  {
    SMTP_URL: mail.url,
    STANDING_MAIL_FROM: 'Standing <standing@example.com>',
    STANDING_RATE_LIMITS: 'off',
  },
  { now: clock.now },
)
const { anyone, operator } = at
const NEW_PASSWORD = 'a longer staple for a better horse'
const ENDED = { status: 400, code: 'VALIDATION_ERROR', details: { issues: [{ path: 'token' }] } }
const HOUR_MS = 3_600_000

const tokenOf = (link: URL) => link.searchParams.get('token') ?? ''

/** A new owner; the mail that confirms the address has arrived. */
async function mailedOwner() {
  // The limit of mails counts by address, and every test has the same one.
  clock.move(HOUR_MS)
  const owner = await newOwner(at)
  return { ...owner, confirmation: await mail.linkTo(owner.email) }
}

async function post(link: URL, form: Readonly<Record<string, string>>) {
  const body = new URLSearchParams({ token: tokenOf(link), ...form })
  const response = await fetch(link.origin + link.pathname, { method: 'POST', body })
  return { status: response.status, text: await response.text() }
}

describe('a forgotten password', () => {
  test('is reset once by the link in a mail, which ends every token', async () => {
    const { email, client } = await mailedOwner()
    await anyone.auth.requestPasswordReset(email)
    const token = tokenOf(await mail.linkTo(email, 2))
    const reset = () => anyone.auth.resetPassword({ token, newPassword: NEW_PASSWORD })
    const session = await reset()
    expect(await refusal(client.agents.list())).toMatchObject({ status: 401 })
    expect((await anyone.with({ token: session.token }).agents.list()).data).toEqual([])
    expect(await refusal(reset())).toMatchObject(ENDED)
    expect(await refusal(anyone.auth.login({ email, password: PASSWORD }))).toMatchObject({
      status: 401,
    })
    await anyone.auth.login({ email, password: NEW_PASSWORD })
  })

  test('of an account whose address was never confirmed ends what others could use: it may be a stranger’s', async () => {
    const { client, email, owner } = await mailedOwner()
    const friend = `friend-of-${email}`
    await client.invitations.create({ email: friend, role: 'admin' })
    const invitation = tokenOf(await mail.linkTo(friend))
    const joined = await anyone.auth.register({ email: friend, password: PASSWORD, invitation })
    const member = anyone.with({ token: joined.token })
    await client.invitations.create({ email: `later-${email}`, role: 'admin' })
    const later = tokenOf(await mail.linkTo(`later-${email}`))
    const { apiKey } = await client.keys.create({ name: 'server', scopes: ['read', 'manage'] })
    const server = anyone.with({ apiKey })
    const hook = { url: 'https://example.com/hook', events: ['*'] } as const
    await client.webhooks.create(hook)
    await client.with({ mode: 'test' }).webhooks.create(hook)
    await anyone.auth.requestPasswordReset(email)
    const token = tokenOf(await mail.linkTo(email, 2))
    const session = await anyone.auth.resetPassword({ token, newPassword: NEW_PASSWORD })
    const person = anyone.with({ token: session.token })
    expect((await person.members.list()).data.map(({ id }) => id)).toEqual([owner.id])
    expect((await person.invitations.list()).data).toEqual([])
    expect((await person.webhooks.list()).data).toEqual([])
    expect((await person.with({ mode: 'test' }).webhooks.list()).data).toEqual([])
    for (const stranger of [client, member, server]) {
      expect(await refusal(stranger.agents.list())).toMatchObject({ status: 401 })
    }
    const late = { email: `later-${email}`, password: PASSWORD, invitation: later }
    expect(await refusal(anyone.auth.register(late))).toMatchObject({ status: 400 })
    // A second new password is by a person who is known to have the address.
    const kept = await person.keys.create({ name: 'server', scopes: ['read'] })
    await person.webhooks.create(hook)
    await anyone.auth.requestPasswordReset(email)
    const second = tokenOf(await mail.linkTo(email, 3))
    await anyone.auth.resetPassword({ token: second, newPassword: PASSWORD })
    expect((await anyone.with({ apiKey: kept.apiKey }).webhooks.list()).data).toHaveLength(1)
  })

  test('has one valid link: the newest, for an hour', async () => {
    const { email } = await mailedOwner()
    await anyone.auth.requestPasswordReset(email)
    const first = tokenOf(await mail.linkTo(email, 2))
    await anyone.auth.requestPasswordReset(email)
    const link = await mail.linkTo(email, 3)
    const reset = (token: string) => anyone.auth.resetPassword({ token, newPassword: NEW_PASSWORD })
    expect(await refusal(reset(first))).toMatchObject(ENDED)
    clock.move(HOUR_MS)
    expect(await refusal(reset(tokenOf(link)))).toMatchObject(ENDED)
    const page = await fetch(link)
    expect([page.status, await page.text()]).toEqual([
      410,
      expect.stringContaining('This link is not valid'),
    ])
  })

  test('for an e-mail without an account has the same response, and no mail', async () => {
    const { email } = await mailedOwner()
    const ask = async (address: string) => {
      const response = await fetch(`${at.url}/v1/auth/password-reset`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: address }),
      })
      const headers = [...response.headers.keys()].filter((name) => name !== 'date')
      return { status: response.status, text: await response.text(), headers }
    }
    const unknown = await ask('nobody@example.com')
    expect(unknown).toMatchObject({ status: 202, text: '' })
    expect(await ask(email)).toEqual(unknown)
    // The queue is worked off in order: what was asked for before has been looked at.
    await mail.linkTo(email, 2)
    expect(mail.mails.filter(({ to }) => to === 'nobody@example.com')).toEqual([])
  })

  test('can be requested ten times in a quarter of an hour, with an account or without', async () => {
    clock.move(HOUR_MS)
    const ask = () => anyone.auth.requestPasswordReset('nobody@example.com')
    for (let i = 0; i < 10; i++) {
      await ask()
    }
    expect(await refusal(ask())).toMatchObject({ status: 429, details: { limit: 'mails' } })
    clock.move(15 * 60_000)
    await ask()
  })

  test('gets its mail later when the mail server is unavailable', async () => {
    const { email } = await mailedOwner()
    mail.accept(false)
    const before = mail.refused()
    await anyone.auth.requestPasswordReset(email)
    await expect.poll(mail.refused, { timeout: 60_000 }).toBe(before + 1)
    mail.accept(true)
    clock.move(60_000)
    const token = tokenOf(await mail.linkTo(email, 2))
    await anyone.auth.resetPassword({ token, newPassword: NEW_PASSWORD })
  })

  test('gets one mail, even if the database does not let the service remove it from its queue', async () => {
    const database = createPool({ url: at.database.url }, { max: 1 })
    onTestFinished(async () => {
      await database.query('drop function if exists refuse_removal cascade')
      await database.end()
    })
    const { email } = await mailedOwner()
    await database.query(`
      create function refuse_removal() returns trigger language plpgsql
        as $$ begin raise 'no mail is removed'; end $$;
      create trigger refuse_removal before delete on mail_queue
        for each row execute function refuse_removal()`)
    await anyone.auth.requestPasswordReset(email)
    await mail.linkTo(email, 2)
    // The mail would be due again.
    clock.move(HOUR_MS)
    await database.query('drop function refuse_removal cascade')
    await eventually(async () => {
      const { rowCount } = await database.query('select from mail_queue')
      expect(rowCount).toBe(0)
    })
    expect(mail.mails.filter(({ to }) => to === email)).toHaveLength(2)
  })

  test('is reset by a link of the operator if the service sends no mail', async () => {
    const { email } = await mailedOwner()
    const { link, expiresAt } = await operator.operator.createResetLink(email)
    expect(Date.parse(expiresAt)).toBe(clock.now() + HOUR_MS)
    const token = tokenOf(new URL(link))
    await anyone.auth.resetPassword({ token, newPassword: NEW_PASSWORD })
    await anyone.auth.login({ email, password: NEW_PASSWORD })
    const unknown = operator.operator.createResetLink('nobody@example.com')
    expect(await refusal(unknown)).toMatchObject({ status: 404 })
    const { data } = await operator.operator.audit({ limit: 2 })
    expect(data.map(({ action }) => action)).toEqual([
      'owner.password_reset',
      'owner.reset_link_created',
    ])
  })
})

describe('an e-mail address', () => {
  test('is confirmed by the link in the mail that registration sends', async () => {
    const { client, confirmation } = await mailedOwner()
    expect((await client.auth.me()).member).toMatchObject({ emailConfirmed: false })
    const member = await anyone.auth.confirmEmail(tokenOf(confirmation))
    expect(member).toMatchObject({ emailConfirmed: true })
    expect((await client.auth.me()).member).toEqual(member)
    const again = anyone.auth.confirmEmail(tokenOf(confirmation))
    expect(await refusal(again)).toMatchObject(ENDED)
  })

  test('can be confirmed by a newer link, and by a new password', async () => {
    const { client, email, confirmation } = await mailedOwner()
    await client.auth.requestEmailConfirmation()
    const link = await mail.linkTo(email, 2)
    expect(await refusal(anyone.auth.confirmEmail(tokenOf(confirmation)))).toMatchObject(ENDED)
    await anyone.auth.requestPasswordReset(email)
    const reset = tokenOf(await mail.linkTo(email, 3))
    // A link does only what it is for.
    expect(await refusal(anyone.auth.confirmEmail(reset))).toMatchObject(ENDED)
    const token = tokenOf(link)
    const wrong = anyone.auth.resetPassword({ token, newPassword: NEW_PASSWORD })
    expect(await refusal(wrong)).toMatchObject(ENDED)
    const session = await anyone.auth.resetPassword({ token: reset, newPassword: NEW_PASSWORD })
    const { member } = await anyone.with({ token: session.token }).auth.me()
    expect(member).toMatchObject({ emailConfirmed: true })
  })

  test('is confirmed before an agent that was offered to an address is accepted or declined', async () => {
    const { client, email, confirmation } = await mailedOwner()
    const { agent, owner: seller } = await newAgent(at)
    const offer = await seller.client.transfers.offer(agent.id, { toOwnerEmail: email })
    expect((await client.transfers.list()).data).toEqual([offer])
    for (const call of [client.transfers.accept, client.transfers.decline]) {
      expect(await refusal(call(offer.id))).toMatchObject({
        status: 403,
        details: { reason: 'email_not_confirmed' },
      })
    }
    await anyone.auth.confirmEmail(tokenOf(confirmation))
    const accepted = await client.transfers.accept(offer.id)
    expect(accepted.agent).toMatchObject({ id: agent.id })
  })

  test('need not be confirmed for an agent that is offered to the id of the account', async () => {
    const { client, owner } = await mailedOwner()
    const { agent, owner: seller } = await newAgent(at)
    const offer = await seller.client.transfers.offer(agent.id, { toOwnerId: owner.id })
    expect((await client.transfers.accept(offer.id)).agent).toMatchObject({ id: agent.id })
  })
})

describe('the page of a link', () => {
  test('for a password asks for one, and uses the link only with a good one', async () => {
    const { email } = await mailedOwner()
    await anyone.auth.requestPasswordReset(email)
    const link = await mail.linkTo(email, 2)
    for (let i = 0; i < 2; i++) {
      const page = await fetch(link)
      const text = await page.text()
      expect([page.status, text]).toEqual([200, expect.stringContaining('Set a new password')])
      // Hidden while it is typed, and left to paste and to password managers: no script touches it.
      expect(text).toContain('<input type="password" name="password" autocomplete="new-password"')
      expect(text).not.toMatch(/<script|\bon[a-z]+=/)
    }
    const short = await post(link, { password: 'short' })
    expect(short).toMatchObject({ status: 400 })
    expect(short.text).toContain('must have at least 12 characters')
    expect(await post(link, { password: NEW_PASSWORD })).toMatchObject({ status: 200 })
    await anyone.auth.login({ email, password: NEW_PASSWORD })
    expect(await post(link, { password: NEW_PASSWORD })).toMatchObject({ status: 410 })
  })

  test('for a confirmation confirms by its button, not by being opened', async () => {
    const { client, confirmation } = await mailedOwner()
    expect((await fetch(confirmation)).status).toBe(200)
    expect((await client.auth.me()).member).toMatchObject({ emailConfirmed: false })
    expect(await post(confirmation, {})).toMatchObject({ status: 200 })
    expect((await client.auth.me()).member).toMatchObject({ emailConfirmed: true })
  })

  test('for an invitation adds a member, whose address the mail has proven', async () => {
    const { client, owner } = await mailedOwner()
    const email = 'by-mail@example.com'
    const { link } = await client.invitations.create({ email, role: 'viewer' })
    expect(link, 'a link that was mailed proves the address').toBeNull()
    const mailed = await mail.linkTo(email)
    const form = { email: 'another@example.com', password: PASSWORD, name: 'Grace' }
    expect(await post(mailed, form)).toMatchObject({ status: 400 })
    expect(await post(mailed, { ...form, email })).toMatchObject({ status: 200 })
    const session = await anyone.auth.login({ email, password: PASSWORD })
    expect(session.owner.id).toBe(owner.id)
    const { member } = await anyone.with({ token: session.token }).auth.me()
    expect(member).toMatchObject({ name: 'Grace', role: 'viewer', emailConfirmed: true })
  })

  test('for invitations are limited to ten in a quarter of an hour', async () => {
    const { client } = await mailedOwner()
    const invite = (n: number) => client.invitations.create({ email: `fast-${n}@example.com` })
    for (let n = 0; n < 10; n++) {
      await invite(n)
    }
    expect(await refusal(invite(10))).toMatchObject({ status: 429, details: { limit: 'mails' } })
  })
})

test('a service without a mail server says so, however often it is asked', async () => {
  const without = await startService()
  const { client } = await newOwner(without)
  const off = { status: 403, details: { reason: 'mail_off' } }
  for (let asked = 0; asked < 11; asked++) {
    const ask = without.anyone.auth.requestPasswordReset('ada@example.com')
    expect(await refusal(ask)).toMatchObject(off)
    expect(await refusal(client.auth.requestEmailConfirmation())).toMatchObject(off)
  }
})

test('a mail is sent after the node that was to send it has stopped', async () => {
  const { email } = await mailedOwner()
  const dead = await at.node({ SMTP_URL: 'smtp://127.0.0.1:9' })
  const there = new Standing({ baseUrl: dead.url, retriesMax: 0 })
  mail.accept(false)
  await there.auth.requestPasswordReset(email)
  await dead.close()
  mail.accept(true)
  clock.move(2 * 60_000)
  expect((await mail.linkTo(email, 2)).pathname).toBe('/reset-password')
})
