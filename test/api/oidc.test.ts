import { type Session, Standing } from '@standing/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { oidcCookie, oidcCookieIn } from '../../src/api/owners/oidc.ts'
import { readConfig } from '../../src/config.ts'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { UserError } from '../../src/lib/user-error.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { holdLocks, RETRIED, waitForLocks } from '../support/hold-locks.ts'
import { refusal } from '../support/http.ts'
import { startMailServer } from '../support/mail.ts'
import { CLIENT, createBrowser, type Person, startOidcServer } from '../support/oidc.ts'
import { newOwner, PASSWORD, startService, type TestService } from '../support/service.ts'

const provider = await startOidcServer()
const mail = await startMailServer()
const SETTINGS = {
  STANDING_OIDC_ISSUER: provider.issuer,
  STANDING_OIDC_CLIENT_ID: CLIENT.id,
  STANDING_OIDC_CLIENT_SECRET: CLIENT.secret,
  STANDING_OIDC_NAME: 'Example SSO',
  STANDING_RATE_LIMITS: 'off',
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const port = String(await freePort())
  provider.admit(`http://127.0.0.1:${port}/auth/oidc/callback`)
  return startService({ ...SETTINGS, PORT: port, ...env })
}

const at = await start({ SMTP_URL: mail.url, STANDING_MAIL_FROM: 'standing@example.com' })
let people = 0

/** A person whom the provider knows and nobody else. */
function stranger(more: Partial<Person> = {}): Person & { readonly email: string } {
  const sub = `subject-${++people}`
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada', ...more } as never
}

/** Signs in at the provider, and comes back: the browser, where it is then, and what it sees. */
async function comeBack(person: Person | null, service = at, path = '/auth/oidc/start') {
  provider.logsIn(person)
  const browser = createBrowser()
  const { url, response } = await browser.visit(service.url + path)
  return { browser, url, status: response.status, text: await response.text() }
}

/** Begins a sign-in, and stops the browser on its way back: the address that it would go to. */
async function wayBack(browser: ReturnType<typeof createBrowser>, service = at): Promise<URL> {
  let url = new URL('/auth/oidc/start', service.url)
  do {
    const response = await browser.ask(url)
    url = new URL(response.headers.get('location') ?? '', url)
  } while (!url.href.startsWith(service.url))
  return url
}

/** The session that the browser gets for its code. */
async function sessionOf({ browser, url }: Awaited<ReturnType<typeof comeBack>>, service = at) {
  const code = /^#oidc=(.+)$/.exec(url.hash)?.[1] ?? ''
  const response = await browser.ask(new URL('/v1/auth/oidc/session', service.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ code }),
  })
  return { status: response.status, body: (await response.json()) as Session }
}

const as = (token: string, service = at) =>
  new Standing({ baseUrl: service.url, token, retriesMax: 0 })

/** An owner who has confirmed the address. */
async function confirmedOwner() {
  const owner = await newOwner(at)
  const link = await mail.linkTo(owner.email)
  await at.anyone.auth.confirmEmail(link.searchParams.get('token') ?? '')
  return owner
}

describe('a sign-in by the provider', () => {
  test('opens an account for a new person, and finds it the next time, even with another e-mail', async () => {
    const person = stranger()
    const { status, body } = await sessionOf(await comeBack(person))
    expect(status).toBe(200)
    expect(body.owner).toMatchObject({ email: person.email, name: 'Ada' })
    const { member } = await as(body.token).auth.me()
    expect(member).toMatchObject({ isOwner: true, emailConfirmed: true })
    expect((await as(body.token).auth.sessions()).data).toMatchObject([{ isCurrent: true }])
    const renamed = { ...person, email: 'renamed@example.com' }
    const again = await sessionOf(await comeBack(renamed))
    expect(again.body.owner.id).toBe(body.owner.id)
  })

  test('takes no character from the provider that the database cannot store', async () => {
    const { body } = await sessionOf(
      await comeBack(stranger({ name: ` A\0da ${'ü'.repeat(200)}` })),
    )
    expect(body.owner.name).toBe(`Ada ${'ü'.repeat(96)}`)
    const refused = await comeBack(stranger({ email: 'a\0b@example.com' }))
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('an e-mail address that is not valid')
  })

  test('takes a name without a character that can be seen as no name', async () => {
    const { body } = await sessionOf(await comeBack(stranger({ name: '\u200b\u3164' })))
    expect(body.owner.name).toBeNull()
  })

  test('returns its session once, and only to the browser that started it', async () => {
    const back = await comeBack(stranger())
    const elsewhere = { ...back, browser: createBrowser() }
    expect(await sessionOf(elsewhere)).toMatchObject({ status: 400 })
    expect(await sessionOf(back)).toMatchObject({ status: 200 })
    expect(await sessionOf(back)).toMatchObject({ status: 400 })
  })

  test(
    'does not outlive a new password that is set by a link at the same moment',
    RETRIED,
    async () => {
      const pool = createPool({ url: at.database.url }, { max: 2 })
      onTestFinished(() => pool.end())
      const person = stranger()
      await sessionOf(await comeBack(person))
      const { link } = await at.operator.operator.createResetLink(person.email)
      const token = new URL(link).searchParams.get('token') ?? ''
      // Both read it last: the sign-in has found its member, and the password is set.
      const unlock = await holdLocks(pool, { text: 'lock table owners in access exclusive mode' })
      const back = comeBack(person)
      await waitForLocks(pool, 1, back)
      const reset = at.anyone.auth.resetPassword({
        token,
        newPassword: 'a stapled horse is correct',
      })
      await waitForLocks(pool, 2, back, reset)
      await unlock()
      await reset
      expect(await sessionOf(await back)).toMatchObject({ status: 400 })
    },
  )

  test('that a link of another site starts requires a confirmation', async () => {
    const start = `${at.url}/auth/oidc/start?invitation=a%22b`
    const from = (site: string) =>
      fetch(start, { redirect: 'manual', headers: { 'sec-fetch-site': site } })
    for (const site of ['same-origin', 'none']) {
      expect((await from(site)).status).toBe(303)
    }
    const asked = await from('cross-site')
    expect([asked.status, asked.headers.get('set-cookie')]).toEqual([200, null])
    const text = await asked.text()
    expect(text).toContain('href="/auth/oidc/start?invitation=a%22b">Continue with Example SSO</a>')
    expect(text).not.toContain('<script')
  })

  test('shows no secret to scripts or to other sites', async () => {
    const start = () => fetch(`${at.url}/auth/oidc/start`, { redirect: 'manual' })
    const { headers } = await start()
    expect(headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax$/)
    expect(headers.get('cache-control')).toBe('no-store')
    const sent = new URL(headers.get('location') ?? '').searchParams
    expect(Object.fromEntries(sent)).toMatchObject({
      code_challenge_method: 'S256',
      scope: 'openid email profile',
      redirect_uri: `${at.url}/auth/oidc/callback`,
    })
    const other = new URL((await start()).headers.get('location') ?? '').searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(sent.get(name), name).toMatch(/^[\w-]{40,}$/)
      expect(sent.get(name), name).not.toBe(other.get(name))
    }
  })

  test.each([
    ['http://127.0.0.1:8080', 'standing_oidc=a; Path=/;', ''],
    ['https://trust.example.com', '__Host-standing_oidc=a; Path=/;', '; Secure'],
    ['https://example.com/trust', '__Secure-standing_oidc=a; Path=/trust;', '; Secure'],
  ])('uses a cookie at %s that no other host can set', (baseUrl, begins, ends) => {
    const cookie = oidcCookie(baseUrl, 'a', 60_000)
    expect(cookie).toBe(`${begins} Max-Age=60; HttpOnly; SameSite=Lax${ends}`)
    expect(oidcCookieIn(new Headers({ cookie }), baseUrl)).toBe('a')
  })

  test('is linked to the member who has confirmed the same e-mail', async () => {
    const owner = await confirmedOwner()
    const person = stranger({ email: owner.email.toUpperCase() })
    const { body } = await sessionOf(await comeBack(person))
    expect(body.owner.id).toBe(owner.owner.id)
    await at.anyone.auth.login({ email: owner.email, password: PASSWORD })
    const { data } = await at.operator.operator.audit({ limit: 1 })
    expect(data).toMatchObject([
      {
        action: 'owner.oidc_linked',
        target: { id: owner.owner.id },
        details: { issuer: provider.issuer },
      },
    ])
  })

  test('is not linked to an account whose e-mail is not confirmed', async () => {
    const { email } = await newOwner(at)
    const back = await comeBack(stranger({ email }))
    expect(back.status).toBe(403)
    expect(back.text).toContain('the address is not confirmed')
  })

  test('is not linked to a member whom the provider knows as another person, until the password is reset', async () => {
    const first = stranger()
    const { body } = await sessionOf(await comeBack(first))
    const next = stranger({ email: first.email })
    const refused = await comeBack(next)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('belongs to another person at the provider')
    expect((await sessionOf(await comeBack(first))).body.owner.id).toBe(body.owner.id)
    await at.anyone.auth.requestPasswordReset(first.email)
    const token = (await mail.linkTo(first.email)).searchParams.get('token') ?? ''
    await at.anyone.auth.resetPassword({ token, newPassword: PASSWORD })
    expect((await sessionOf(await comeBack(next))).body.owner.id).toBe(body.owner.id)
    expect((await comeBack(first)).status).toBe(403)
  })

  test('is refused without a verified e-mail', async () => {
    for (const person of [
      stranger({ email_verified: false }),
      { sub: 'no-flag', email: 'no-flag@example.com' },
      { sub: 'no-email' },
    ]) {
      const back = await comeBack(person)
      expect([person.sub, back.status]).toEqual([person.sub, 403])
      expect(back.text).toContain('does not say that your e-mail address is verified')
    }
  })

  test('that the person cancels leads to a page that says so', async () => {
    const back = await comeBack(null)
    expect(back.status).toBe(403)
    expect(back.text).toContain('the provider refused the sign-in')
  })

  test('of a suspended account is refused', async () => {
    const person = stranger()
    const { body } = await sessionOf(await comeBack(person))
    await at.operator.operator.updateOwner(body.owner.id, { status: 'suspended' })
    const back = await comeBack(person)
    expect(back.status).toBe(403)
    expect(back.text).toContain('this account is suspended')
  })
})

describe('a service that asks for a strong sign-in', () => {
  test('accepts the levels (acr) that it names, and no sign-in without a level', async () => {
    const strong = await start({ STANDING_OIDC_ACR: 'urn:example:strong urn:example:hardware' })
    for (const acr of ['urn:example:strong', 'urn:example:hardware']) {
      const session = await sessionOf(await comeBack(stranger({ acr }), strong), strong)
      expect(session.status).toBe(200)
    }
    for (const weak of [{ acr: 'urn:example:password' }, {}]) {
      const { status, text, url } = await comeBack(stranger(weak), strong)
      expect([status, url.hash]).toEqual([403, ''])
      expect(text).toContain('asks for a stronger sign-in')
    }
    expect((await strong.operator.operator.listOwners()).data).toHaveLength(2)
  })

  test('accepts sign-ins with all of the methods (amr) that it names', async () => {
    const strong = await start({ STANDING_OIDC_AMR: 'mfa hwk' })
    const both = await comeBack(stranger({ amr: ['pwd', 'hwk', 'mfa'] }), strong)
    expect((await sessionOf(both, strong)).status).toBe(200)
    for (const weak of [{ amr: ['pwd', 'mfa'] }, { amr: ['pwd'] }, {}]) {
      expect((await comeBack(stranger(weak), strong)).status).toBe(403)
    }
  })
})

describe('a response that was not sent by the provider to this browser', () => {
  test('is refused: another state, another browser, a changed or a repeated code', async () => {
    provider.logsIn(stranger())
    const browser = createBrowser()
    const url = await wayBack(browser)
    const forged = (name: string, value: string) => {
      const other = new URL(url)
      other.searchParams.set(name, value)
      return other
    }
    const refused = async (who: ReturnType<typeof createBrowser>, where: URL) => {
      const response = await who.ask(where)
      return [response.status, /you are not signed in/.test(await response.text())]
    }
    expect(await refused(createBrowser(), url)).toEqual([403, true])
    expect(await refused(browser, forged('state', 'another'))).toEqual([403, true])
    expect(await refused(browser, forged('iss', 'https://evil.example.com'))).toEqual([403, true])
    expect(await refused(browser, forged('code', 'another'))).toEqual([403, true])
    const cookies = browser.cookies(new URL(at.url).host)
    const [[name = '', sealed = ''] = []] = cookies
    cookies.set(name, `${sealed.slice(0, -4)}AAAA`)
    expect(await refused(browser, url)).toEqual([403, true])
  })
})

test('of two tabs, the one that began last signs in; the other one says so', async () => {
  provider.logsIn(stranger())
  const browser = createBrowser()
  const [first, second] = [await wayBack(browser), await wayBack(browser)]
  const stale = await browser.ask(first)
  expect(stale.status).toBe(403)
  expect(await stale.text()).toContain('begun later, in another tab')
  expect((await browser.ask(second)).headers.get('location')).toContain('#oidc=')
})

describe('a provider that is unavailable', () => {
  test('shows a clear page, and sign-ins work again when it is back', async () => {
    const own = await start()
    provider.isAway(true)
    const away = await comeBack(stranger(), own)
    expect(away.status).toBe(503)
    expect(away.text).toContain('Example SSO cannot be reached')
    const { email } = await newOwner(own)
    await own.anyone.auth.login({ email, password: PASSWORD })
    provider.isAway(false)
    expect(await sessionOf(await comeBack(stranger(), own), own)).toMatchObject({ status: 200 })
  })

  test('between the start and the end of a sign-in makes it fail', async () => {
    const own = await start()
    provider.logsIn(stranger())
    const browser = createBrowser()
    const url = await wayBack(browser, own)
    provider.isAway(true)
    expect((await browser.ask(url)).status).toBe(503)
    provider.isAway(false)
    // Nothing was used up: loading the page again finishes the sign-in.
    expect((await browser.ask(url)).headers.get('location')).toContain('#oidc=')
  })
})

describe('registration', () => {
  test('by invitation admits with the provider only people who have an invitation', async () => {
    const own = await start({ STANDING_REGISTRATION: 'invite' })
    const person = stranger()
    const refused = await comeBack(person, own)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('needs an invitation')
    const { link } = await own.operator.operator.inviteOwner(person.email)
    const page = await (await fetch(link ?? '')).text()
    const path = /href="(\/auth\/oidc\/start\?invitation=[^"]+)"/.exec(page)?.[1] ?? ''
    expect(page).toContain('Continue with Example SSO')
    const other = await comeBack(stranger(), own, path)
    expect(other.status).toBe(400)
    const { body } = await sessionOf(await comeBack(person, own, path), own)
    expect(body.owner).toMatchObject({ email: person.email })
  })

  test('of a member with the provider requires no password', async () => {
    const owner = await confirmedOwner()
    const person = stranger()
    await owner.client.invitations.create({ email: person.email, role: 'viewer' })
    const token = (await mail.linkTo(person.email)).searchParams.get('token')
    const path = `/auth/oidc/start?invitation=${token}`
    const { body } = await sessionOf(await comeBack(person, at, path))
    expect(body.owner.id).toBe(owner.owner.id)
    const { member } = await as(body.token).auth.me()
    expect(member).toMatchObject({ role: 'viewer', emailConfirmed: true })
  })
})

test('sign-ins that begin at the same time read the metadata of the provider once', async () => {
  const own = await start()
  const before = provider.metadataReads()
  const begin = () => fetch(`${own.url}/auth/oidc/start`, { redirect: 'manual' })
  const responses = await Promise.all(Array.from({ length: 5 }, begin))
  expect(responses.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303])
  expect(provider.metadataReads() - before).toBe(1)
})

test('a sign-in page gets the list of sign-in methods', async () => {
  expect(await at.anyone.auth.options()).toEqual({
    registration: 'open',
    mail: true,
    oidc: { name: 'Example SSO', startUrl: `${at.url}/auth/oidc/start` },
  })
  const plain = await startService({ STANDING_REGISTRATION: 'closed' })
  expect(await plain.anyone.auth.options()).toEqual({
    registration: 'closed',
    mail: false,
    oidc: null,
  })
  expect((await fetch(`${plain.url}/auth/oidc/start`)).status).toBe(404)
  expect(await refusal(plain.anyone.auth.createOidcSession('guess'))).toMatchObject({ status: 400 })
})

test.each([
  [{ STANDING_OIDC_ISSUER: 'https://sso.example.com' }, 'STANDING_OIDC_CLIENT_ID'],
  [{ STANDING_OIDC_CLIENT_ID: 'standing' }, 'STANDING_OIDC_ISSUER'],
  [{ ...SETTINGS, STANDING_OIDC_ISSUER: 'http://sso.example.com' }, 'https'],
  [{ ...SETTINGS, STANDING_OIDC_SCOPES: 'email' }, 'openid'],
])('invalid settings are named: %j', (env, named) => {
  expect(() => readConfig(env)).toThrow(UserError)
  expect(() => readConfig(env)).toThrow(named)
})
