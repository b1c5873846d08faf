import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../src/lib/testing/free-port.ts'
import { CLIENT, type OidcServer, startOidcServer } from '../../../test/support/oidc.ts'
import { axe, copySecret, expectNothingWrong, openPage, shoot } from './browser.ts'
import { openBrowser } from './chromium.ts'
import { type FreshService, startService } from './service.ts'

/** An empty installation with a provider, which sends no mail. */

let browser: Browser
let provider: OidcServer
let service: FreshService

beforeAll(async () => {
  browser = await openBrowser()
  provider = await startOidcServer()
  const port = String(await freePort())
  provider.admit(`http://127.0.0.1:${port}/auth/oidc/callback`)
  service = await startService({
    PORT: port,
    STANDING_OIDC_ISSUER: provider.issuer,
    STANDING_OIDC_CLIENT_ID: CLIENT.id,
    STANDING_OIDC_CLIENT_SECRET: CLIENT.secret,
    STANDING_OIDC_NAME: 'Example SSO',
  })
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

const open = () => openPage(browser, service.url, {}, [provider.issuer])

test('a person signs in by the provider and lands on the requested page', async () => {
  provider.logsIn({ sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' })
  const watched = await open()
  const { page } = watched
  await page.goto('/my/usage')
  const button = page.getByRole('link', { name: 'Continue with Example SSO' })
  await button.waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'sign-in-provider')
  await button.click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.goto('/account')
  await page.getByText('ada@example.com').first().waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('an invalid session code is refused on the sign-in page, and is removed from the address', async () => {
  const { page, close } = await open()
  await page.goto('/#oidc=a-code-of-somebody-else')
  await page.getByRole('alert').filter({ hasText: 'code' }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.getByLabel('Password').waitFor()
  await close()
})

test('the page for a forgotten password says who creates a link where no mail is sent', async () => {
  const watched = await open()
  const { page } = watched
  await page.goto('/')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByText('This service sends no mail').waitFor()
  await page.getByRole('button', { name: 'Back to the sign-in' }).click()
  await page.getByLabel('Password').waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test.each([
  ['invite', 'A new account needs an invitation'],
  ['closed', 'The operator has closed registration'],
])(
  'with registration set to %s the page offers no account and says why',
  async (registration, text) => {
    const { page, close } = await open()
    await page.route('**/v1/auth/options', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), registration } })
    })
    await page.goto('/')
    await page.getByText(text).waitFor()
    expect(await page.getByRole('button', { name: 'Create an account' }).count()).toBe(0)
    await close()
  },
)

test('the operator of an empty installation loads demo data, and its owner sees the agents', async () => {
  const watched = await open()
  const { page } = watched
  await page.goto(service.setupPath)
  await page.getByRole('button', { name: 'Create the operator key' }).click()
  await page.getByRole('link', { name: 'Open the dashboard' }).click()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Nothing waits for review').waitFor()
  await page.getByRole('button', { name: 'Load demo data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Load demo data' })
  expect(await axe(page)).toEqual([])
  await shoot(page, 'first-demo')
  await dialog.getByRole('button', { name: 'Load demo data' }).click()
  await dialog.getByText('The demo data is there').waitFor()
  const [email = '', password = ''] = await dialog.locator('code').allTextContents()
  expect(await copySecret(page)).toBe(password)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Load demo data' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Owner', exact: true }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('link', { name: 'Demo Atlas' }).waitFor()
  await shoot(page, 'demo-agents')
  await page.getByRole('row', { name: /Demo Atlas.*(Good|Excellent)/ }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})
