import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, inject, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { axe, expectNothingWrong, shoot } from './browser.ts'
import { setUpPeople } from './people.ts'

const people = setUpPeople()
const { open } = people
const demo = inject('demo')

// Other files see the same demo.
afterAll(async () => {
  const owner = callAs(demo.url, people.sessions.owner.credential)
  await owner.delete('/v1/test-data', undefined)
})

const KEY = '.dialog .secret code'
const ASKED = 'It has not been copied yet, and it is not shown again.'

async function createKey(page: Page, name: string): Promise<Locator> {
  await page.goto('/my/keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await dialog.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  await page.locator(KEY).waitFor()
  return dialog
}

test('a new key stays on the screen, whatever is pressed, until it is copied', async () => {
  const watched = await open('owner')
  const { page } = watched
  const dialog = await createKey(page, 'kept')
  // The keyboard goes on from the key, whose group says that it is shown once.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copy')
  const ways = [
    // A browser closes a dialog by itself when Escape is pressed once more.
    () => page.keyboard.press('Escape'),
    () => page.keyboard.press('Escape'),
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
    () => page.mouse.click(5, 5),
    () => dialog.getByRole('button', { name: 'Done' }).click(),
  ]
  for (const way of ways) {
    await way()
    await dialog.getByRole('alert').getByText(ASKED).waitFor()
    expect(await page.locator(KEY).isVisible()).toBe(true)
  }
  expect(await axe(page)).toEqual([])
  await shoot(page, 'key-not-copied')
  await dialog.locator('.secret').getByRole('button', { name: 'Copy' }).click()
  await dialog.getByText(ASKED).waitFor({ state: 'detached' })
  const key = await page.locator(KEY).innerText()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expectNothingWrong(watched)
  await watched.close()
})

test('a new key can be left on purpose without copying it', async () => {
  const watched = await open('owner')
  const { page } = watched
  const dialog = await createKey(page, 'left')
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Close without copying' }).click()
  await dialog.waitFor({ state: 'detached' })
  expectNothingWrong(watched)
  await watched.close()
})

test('a key that is selected and copied by keyboard counts as copied', async () => {
  const watched = await open('owner')
  const { page } = watched
  const dialog = await createKey(page, 'selected')
  await page.locator(KEY).click()
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expectNothingWrong(watched)
  await watched.close()
})

test.each([
  ['/my/test', 'Make a test key'],
  [`/my/agents/${demo.agents['Beacon Research']}/settings`, 'Create a new key'],
])(
  'a key that is made on the page %s stays on the screen until it is copied',
  async (path, name) => {
    const watched = await open('owner')
    const { page } = watched
    await page.goto(path)
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog')
    await page.locator(KEY).waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('alert').getByText(ASKED).waitFor()
    expect(await axe(page)).toEqual([])
    await dialog.locator('.secret').getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name }).waitFor()
    expectNothingWrong(watched)
    await watched.close()
  },
)

test('no link leaves the key of a new agent behind', async () => {
  const watched = await open('owner')
  const { page } = watched
  await page.goto('/my/agents')
  await page.getByRole('button', { name: 'Register an agent' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Quill Notary')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await page.locator(KEY).waitFor()
  for (const name of ['Open the agent', 'Get notified when its score changes.']) {
    await dialog.getByRole('link', { name }).click()
    await dialog.getByText(ASKED).waitFor()
    expect(new URL(page.url()).pathname).toBe('/my/agents')
  }
  await dialog.getByRole('link', { name: 'Open the agent' }).click()
  await dialog.getByRole('button', { name: 'Close without copying' }).click()
  await page.getByRole('heading', { name: 'Quill Notary' }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})
