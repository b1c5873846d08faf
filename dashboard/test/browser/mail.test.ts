import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../test/support/mail.ts'
import { callAs } from '../demo/caller.ts'
import { axe, expectNothingWrong, openPage, signInAs } from './browser.ts'
import { openBrowser } from './chromium.ts'
import { startService } from './service.ts'

const ADA = { email: 'ada@example.com', password: 'correct horse battery staple' }
const GRACE = { ...ADA, email: 'grace@example.com' }

test('a person gets the confirmation mail again, and a member sees their own address', async () => {
  const mail = await startMailServer()
  const { url, close } = await startService({
    SMTP_URL: mail.url,
    STANDING_MAIL_FROM: 'Standing <standing@example.com>',
  })
  const browser = await openBrowser()
  const { token } = await callAs(url, null).post('/v1/auth/register', ADA)
  await confirm(browser, url, mail)
  const owner = callAs(url, String(token))
  await owner.post('/v1/invitations', { email: GRACE.email, role: 'viewer' })
  const { page, ...watched } = await openPage(browser, url)
  await page.goto((await mail.linkTo(GRACE.email)).href)
  await page.getByLabel(/e-mail/i).fill(GRACE.email)
  await page.getByLabel(/password/i).fill(GRACE.password)
  await page.getByRole('button').click()
  await page.getByRole('heading', { name: 'Welcome' }).waitFor()
  await signInAs(page, await sessionOf(url, GRACE))
  await page.goto('/account')
  const facts = page.locator('.facts dd')
  await facts.first().waitFor()
  const [own, account] = await facts.allTextContents()
  expect([own?.trim(), account]).toEqual([GRACE.email, ADA.email])
  expectNothingWrong({ page, ...watched })
  await browser.close()
  await close()
})

/** Asks for another link on the page of the account, and follows it. */
async function confirm(browser: Browser, url: string, mail: MailServer): Promise<void> {
  const watched = await openPage(browser, url)
  const { page } = watched
  await signInAs(page, await sessionOf(url, ADA))
  await page.goto('/account')
  await page.getByText('(not confirmed yet)').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Send the confirmation mail again' }).click()
  await page.getByText(`A link was sent to ${ADA.email}.`).waitFor()
  await page.goto((await mail.linkTo(ADA.email, 2)).href)
  await page.getByRole('button').click()
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
  await page.goto('/account')
  await page.getByText('Account since').waitFor()
  expect(await page.getByText('(not confirmed yet)').count()).toBe(0)
  expectNothingWrong(watched)
  await watched.close()
}

async function sessionOf(url: string, login: typeof ADA): Promise<object> {
  const session = await callAs(url, null).post('/v1/auth/login', login)
  return { kind: 'owner', credential: session.token, ...session }
}
