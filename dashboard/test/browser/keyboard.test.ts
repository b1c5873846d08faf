import { expect, inject, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { expectNothingWrong } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const people = setUpPeople()

const { open } = people

test('the palette finds the owner’s agents on any page, and gives back the focus', async () => {
  const watched = await open('owner')
  const { page } = watched
  await page.goto('/my/usage')
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Team' })
  await link.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('granite')
  await page.getByRole('option', { name: /Granite Backup/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Team')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('granite')
  await page.getByRole('option', { name: /Granite Backup/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Granite Backup' }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('after a row loses its button, the keyboard goes on from the table', async () => {
  const owner = callAs(demo.url, people.sessions.owner.credential)
  const name = `Keyboard ${Date.now()}`
  await owner.post('/v1/keys', { name, scopes: ['read'], expiresAt: null })
  const watched = await open('owner')
  const { page } = watched
  await page.goto('/my/keys')
  await page.getByRole('button', { name: `Revoke ${name}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('is revoked').waitFor()
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('table-frame')
  await page.keyboard.press('z')
  await page.getByRole('button', { name: `Revoke ${name}` }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('the health page says what requests without an operation were', async () => {
  const watched = await open('operator')
  await watched.page.goto('/operator/health')
  await watched.page.getByRole('rowheader', { name: /^Pages: dashboard/ }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('a dialog that a menu opened gives the focus back to the button of the menu', async () => {
  const watched = await open('owner')
  const { page } = watched
  await page.goto(`/my/agents/${demo.agents['Atlas Invoicing']}/credentials`)
  const actions = page.getByRole('button', { name: 'Actions' }).first()
  await actions.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Show a QR code' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await actions.evaluate((one) => one === document.activeElement)).toBe(true)
  expectNothingWrong(watched)
  await watched.close()
})
