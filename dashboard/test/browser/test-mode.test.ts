import { expect, inject, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { axe, copySecret, expectNothingWrong, shoot, sidewaysPx, signInAs } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const people = setUpPeople()

test('an owner acts as owner and platform in test mode, which is marked, and deletes all of its data', async () => {
  const watched = await people.open('owner')
  const { page } = watched
  await page.goto('/my/test')
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Make a test key' }).click()
  const platformKey = await copySecret(page)
  await page.getByRole('button', { name: 'Done' }).click()
  expect(platformKey).toMatch(/^avp_test_/)
  await shoot(page, 'test-mode-off')
  await page.getByRole('button', { name: 'Switch to test mode' }).click()
  await page.getByText('No agent yet').waitFor()
  await page.getByText('all of this is test data').waitFor()
  await page.getByLabel('Name').fill('Trial Balance')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  expect(await copySecret(page)).toMatch(/^avs_test_/)
  await page.getByRole('link', { name: 'Open the agent' }).click()
  await page.getByRole('heading', { name: 'Trial Balance' }).waitFor()
  await page.locator('.test-mark').waitFor()
  const path = new URL(page.url()).pathname
  const id = path.split('/').at(-1)
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  const report = { type: 'task.completed', data: {} }
  await callAs(demo.url, platformKey).post(`/v1/agents/${id}/events`, report)
  await page.getByRole('button', { name: /Task completed/ }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { name: 'Deactivate' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Public profile' }).count()).toBe(0)
  expect(await axe(page)).toEqual([])
  await shoot(page, 'test-mode-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await axe(page, 'colours')).toEqual([])
  await shoot(page, 'test-mode-dark')
  await page.setViewportSize({ width: 320, height: 740 })
  expect(await sidewaysPx(page)).toBe(0)
  await shoot(page, 'test-mode-320')
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.getByRole('button', { name: 'Back to live data' }).click()
  await page.getByRole('link', { name: 'Atlas Invoicing' }).waitFor()
  expect(await page.getByText('all of this is test data').count()).toBe(0)
  // The address of a test agent leads into its mode.
  await page.goto(path)
  await page.getByText('all of this is test data').waitFor()
  await page.getByRole('link', { name: 'Test mode' }).click()
  await page.getByRole('button', { name: 'Delete all test data' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete all test data' })
  await dialog.getByRole('button', { name: 'Delete all test data' }).click()
  await page.getByText('Deleted: agents 1, platforms 1').waitFor()
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByText('No agent yet').waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('a platform creates its test key, signs in with it, and sees that it is a test key', async () => {
  const watched = await people.open('platform')
  const { page } = watched
  await page.goto('/account')
  await page.getByRole('button', { name: 'Make a test key' }).click()
  const credential = await page.locator('.secret code').innerText()
  expectNothingWrong(watched)
  await watched.close()
  const tester = await people.open(null)
  await signInAs(tester.page, { kind: 'platform', credential })
  await tester.page.goto('/platform/agents')
  await tester.page.getByText('all of this is test data').waitFor()
  expect(await axe(tester.page)).toEqual([])
  expectNothingWrong(tester)
  await tester.close()
})

test('an operator reviews the quarantined events of test data in test mode', async () => {
  const watched = await people.open('operator')
  const { page } = watched
  await page.goto('/account')
  await page.getByRole('button', { name: 'Switch to test mode' }).click()
  await page.getByText('Nothing waits for review').waitFor()
  await page.getByText('quarantined events listed are test data').waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'test-mode-operator')
  expectNothingWrong(watched)
  await watched.close()
})
