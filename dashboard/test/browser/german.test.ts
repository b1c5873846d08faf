import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import type { Kind } from '../../src/session/session.ts'
import { callAs } from '../demo/caller.ts'
import { axe, cutTables, expectNothingWrong, shoot, sidewaysPx, widenTimes } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')
const people = setUpPeople()

const atlas = demo.agents['Atlas Invoicing']
const beacon = demo.agents['Beacon Research']

const PAGES: readonly (readonly [Kind, string])[] = [
  ['owner', '/my/agents'],
  ...[
    `${beacon}`,
    `${beacon}/events`,
    `${atlas}/quarantined`,
    `${beacon}/quarantined`,
    `${atlas}/credentials`,
    `${atlas}/identifiers`,
    `${atlas}/webhooks`,
    `${atlas}/settings`,
  ].map((path) => ['owner', `/my/agents/${path}`] as const),
  ['owner', '/my/transfers'],
  ['owner', '/my/webhooks'],
  ['owner', '/my/usage'],
  ['owner', '/my/team'],
  ['owner', '/my/keys'],
  ['owner', '/my/test'],
  ['owner', '/account'],
  ['owner', `/my/agents/${demo.agents['Ember Scraper']}`],
  ['operator', '/operator/reviews'],
  ['operator', '/operator/agents'],
  ['operator', `/operator/agents/${atlas}`],
  ['operator', '/operator/platforms'],
  ['operator', '/operator/owners'],
  ['operator', '/operator/rules'],
  ['operator', '/operator/rules/contradictory_data'],
  ['operator', '/operator/figures'],
  ['operator', '/operator/keys'],
  ['operator', '/operator/imports'],
  ['operator', '/operator/operators'],
  ['operator', '/operator/audit'],
  ['operator', '/operator/health'],
  ['platform', '/platform/agents'],
  ['platform', '/platform/decide'],
  ['platform', '/platform/policies'],
]

/** Words of English sentences that German ones do not have. */
const ENGLISH = /\b(the|this|is|are|has|have|had|of|with|been|which|from|and|your|its|no)\b/i

/** What people of the demo have written, and names. */
const WRITTEN = [
  'Tells our chat of every score that moves.',
  'Confirmed with the reporter.',
  'The task is marked as failed.',
  'It failed at first, was repeated and then done.',
  'The certificate was withdrawn.',
]

/** Texts of the page that are English and not marked as such; code and JSON have no language. */
function unmarkedEnglish(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ([pattern, written]) => {
      const found: string[] = []
      const english = new RegExp(pattern, 'i')
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.nodeValue ?? ''
        const isCode = node.parentElement?.closest('[lang="en"], code, pre, .mono, script, style')
        if (!isCode && english.test(text) && !written.some((one) => text.includes(one))) {
          found.push(text)
        }
      }
      return found
    },
    [ENGLISH.source, WRITTEN] as const,
  )
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

/** A desktop with little room, a tablet and a telephone. */
const WIDTHS_PX = [1440, 1200, 1100, 768, 390]

test.each(['owner', 'operator', 'platform'] as const)(
  'as %s, a German page has no English text that is not marked, and its tables fit',
  async (kind) => {
    const watched = await people.open(kind, { locale: 'de-DE' })
    const { page } = watched
    for (const [, path] of PAGES.filter(([who]) => who === kind)) {
      await show(page, path)
      expect.soft([path, await unmarkedEnglish(page)]).toEqual([path, []])
      await widenTimes(page)
      for (const width of WIDTHS_PX) {
        await page.setViewportSize({ width, height: 860 })
        const cut = await cutTables(page)
        expect.soft([path, width, await sidewaysPx(page), cut]).toEqual([path, width, 0, []])
        await shoot(page, `german-${path.replaceAll(/\W+/g, '-')}-${width}`)
      }
    }
    await watched.close()
  },
)

test('a refusal is German where the service sends a reason, and else the English of the service is marked', async () => {
  const watched = await people.open('owner', { locale: 'de-DE' })
  const { page } = watched
  await page.goto('/my/team')
  await page.getByRole('button', { name: 'Person einladen' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-Mail').fill(demo.owner.email)
  await dialog.getByRole('button', { name: 'Person einladen' }).click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('Diese Person gehört schon zum Konto.').waitFor()
  await page.goto('/my/webhooks')
  await page.getByRole('button', { name: 'Webhook anlegen' }).click()
  await dialog.getByLabel('Adresse').fill('https://example.com:25/hook')
  await dialog.getByRole('button', { name: 'Webhook anlegen' }).click()
  await dialog.locator('.field-error').getByText('Diese Adresse ist nicht erlaubt.').waitFor()
  const issue = dialog.locator('.field-error').getByText('must use port')
  expect(await issue.getAttribute('lang')).toBe('en')
  expect(await axe(page)).toEqual([])
  await page.goto('/account')
  await page.getByLabel('Bisheriges Passwort').fill('not my password')
  await page.getByLabel('Neues Passwort').fill('a longer staple for a better horse')
  await page.getByRole('button', { name: 'Passwort ändern' }).click()
  await page.locator('.field-error').getByText('Das Passwort ist falsch.').waitFor()
  expectNothingWrong({ ...watched, wrong: watched.wrong.filter((one) => !REFUSED.test(one)) })
  await watched.close()
})

/** A browser notes every refused request. */
const REFUSED = /status of 4\d\d/

test('an owner reads in German why an event is quarantined, and the rest of the sentence as English', async () => {
  const watched = await people.open('owner', { locale: 'de-DE' })
  const { page } = watched
  await page.goto(`/my/agents/${atlas}/quarantined`)
  const card = page.locator('.card').filter({ hasText: 'widersprechen sich' }).first()
  await card.getByText('Die Angaben widersprechen sich').waitFor()
  const sentence = card.locator('p [lang="en"]')
  expect(await sentence.textContent()).toBe('The task is said to be completed and to have failed.')
  expectNothingWrong(watched)
  await watched.close()
})

test('a platform reads in German why a deal is not allowed', async () => {
  const watched = await people.open('platform', { locale: 'de-DE' })
  const { page } = watched
  await callAs(demo.url, demo.platformKey).post('/v1/decisions', { agentId: atlas, amount: 1e9 })
  await page.goto('/platform/decide')
  await page.getByText('Es steht mehr auf dem Spiel').first().waitFor()
  await page.getByText('Ihre eigenen letzten Meldungen sind gut.').first().waitFor()
  const form = page.locator('.narrow-form').first()
  await form.getByLabel('Agent').fill(`${atlas}`)
  await form.getByLabel('Im Risiko').fill('1000000')
  await form.getByRole('button', { name: 'Entscheidung erfragen' }).click()
  await page
    .locator('.verdict')
    .getByText(/Es steht mehr .* 1\.000\.000.* statt höchstens /)
    .waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('a wrong password, and an e-mail that has an account, are refused in German', async () => {
  const watched = await people.open(null, { locale: 'de-DE' })
  const { page } = watched
  await page.goto('/')
  await page.getByLabel('E-Mail').fill(demo.owner.email)
  await page.getByLabel('Passwort').fill('not the password')
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByText('Die E-Mail oder das Passwort ist falsch.').waitFor()
  await page.getByRole('button', { name: 'Konto anlegen' }).click()
  await page.getByLabel('Passwort').fill('a longer staple for a better horse')
  await page.getByRole('button', { name: 'Konto anlegen' }).click()
  await page.getByText('Zu dieser E-Mail gibt es schon ein Konto.').waitFor()
  expectNothingWrong({ ...watched, wrong: watched.wrong.filter((one) => !REFUSED.test(one)) })
  await watched.close()
})
