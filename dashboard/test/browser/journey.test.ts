import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { axe, copySecret, expectNothingWrong, openPage, shoot, type Watched } from './browser.ts'
import { openBrowser } from './chromium.ts'
import { type FreshService, startService } from './service.ts'

/** From the first start to a revoked credential, by clicks and keys, each person in a tab. */

const EMAIL = 'grace@example.com'
const PASSWORD = 'correct horse battery staple'

let service: FreshService
let browser: Browser
let receiver: Server
let operator: Watched
let owner: Watched
let platform: Watched

beforeAll(async () => {
  service = await startService()
  browser = await openBrowser()
  receiver = createServer((_req, res) => res.end('thanks'))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  operator = await openPage(browser, service.url)
  owner = await openPage(browser, service.url)
  platform = await openPage(browser, service.url)
})

afterAll(async () => {
  await browser.close()
  receiver.close()
  receiver.closeAllConnections()
  await service.close()
})

let operatorKey = ''
let platformKey = ''
let agentKey = ''
let agentId = ''

test('the set-up link gives the operator a key, and the key opens the dashboard', async () => {
  const { page } = operator
  await page.goto(service.setupPath)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Create the operator key' }).click()
  operatorKey = await page
    .locator('.key')
    .filter({ hasText: /^avo_\w+$/ })
    .innerText()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'first-key')
  await page.getByRole('link', { name: 'Open the dashboard' }).click()
  await page.getByLabel('Key').waitFor()
  // The key is filled in and gone from the address; pressing the button is left to a person.
  expect(new URL(page.url()).hash).toBe('')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Review desk' }).waitFor()
  await page.getByText('Nothing waits for review').waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'first-operator')
})

test('the operator admits the first platform and sees its key once', async () => {
  const { page } = operator
  await page.getByRole('link', { name: 'Platforms' }).click()
  await page.getByText('No platform yet').waitFor()
  await page.keyboard.press('c')
  await page.getByLabel('Name').fill('Northwind Market')
  await page.getByRole('dialog').getByRole('button', { name: 'Admit a platform' }).click()
  platformKey = await copySecret(page)
  expect(platformKey).toMatch(/^avp_/)
  expect(await axe(page)).toEqual([])
  await shoot(page, 'first-platform-key')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('rowheader', { name: 'Northwind Market' }).waitFor()
})

test('a new owner registers, registers an agent, and sees its first event arrive', async () => {
  const { page } = owner
  await page.goto('/')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByLabel('Name (optional)').fill('Grace Hopper')
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByText('No agent yet').waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'first-owner')
  await page.getByLabel('Name').fill('Hermes')
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  agentKey = await copySecret(page)
  expect(await page.locator('.command pre').innerText()).toContain(agentKey)
  await page.getByText('Waiting for the first event').waitFor()
  await callAs(service.url, agentKey).post('/v1/events', {
    type: 'task.completed',
    data: { duration: 1200 },
  })
  await page.getByText('The first event has arrived').waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'first-event')
  await page.getByRole('link', { name: 'Open the agent' }).click()
  await page.getByRole('heading', { name: 'Hermes' }).waitFor()
  agentId = page.url().split('/').at(-1) ?? ''
  await page.getByText('Not enough data yet').first().waitFor()
})

test('a platform signs in and reports an event, which the owner sees live', async () => {
  const { page } = owner
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByRole('button', { name: /Task completed/ }).waitFor()
  const other = platform.page
  await other.goto('/')
  await other.getByRole('button', { name: 'Operator or platform' }).click()
  await other.getByLabel('Key').fill(platformKey)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByLabel('Agent ID').fill(agentId)
  await other.getByRole('button', { name: 'Open' }).click()
  await report(other, 'payment.completed', '{"amount": 120, "currency": "USD"}')
  await page.getByRole('button', { name: /Payment completed/ }).waitFor()
  await page.getByText('US$120.00').waitFor()
})

test('an event that contradicts itself is quarantined, and the owner reads why', async () => {
  await report(platform.page, 'task.completed', '{"success": false}')
  await platform.page.getByText('Reported, and quarantined for review').waitFor()
  const { page } = owner
  await page.getByRole('link', { name: /Quarantined events/ }).click()
  await page.getByText('said to be completed and to have failed').waitFor()
  await page.getByText('Waits for review').waitFor()
})

test('the operator upholds by a keyboard shortcut, undoes it, and upholds again', async () => {
  const { page } = operator
  await page.getByRole('link', { name: 'Review desk' }).click()
  await page.getByRole('heading', { name: /Task completed/ }).waitFor()
  await page.getByText('The agent', { exact: true }).waitFor()
  await page.keyboard.press('u')
  await page.getByText('Nothing waits for review').waitFor()
  await page.keyboard.press('z')
  await page.getByRole('heading', { name: /Task completed/ }).waitFor()
  await page.getByLabel('Reason, for the owner').fill('The task is marked as failed.')
  await page.getByRole('button', { name: /Uphold/ }).click()
  // Leaving the page sends what waits for its ten seconds.
  const reviewed = page.waitForResponse((response) => response.url().endsWith('/review'))
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect((await reviewed).ok()).toBe(true)
})

test('the operator decides at once on all events that one rule quarantined', async () => {
  await report(platform.page, 'task.completed', '{"success": false, "duration": 900}')
  await report(platform.page, 'task.failed', '{"success": true}')
  const { page } = operator
  await page.getByRole('button', { name: 'Operator or platform' }).click()
  await page.getByLabel('Key').fill(operatorKey)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Review desk' }).waitFor()
  await page.getByLabel('Rule', { exact: true }).selectOption('contradictory_data')
  await page.getByRole('button', { name: 'Decide on all' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide on all matching events' })
  await dialog.getByText('contradictory_data').waitFor()
  await dialog.getByLabel('Reason, for the owner').fill('The reporter explained both.')
  expect(await axe(page)).toEqual([])
  await shoot(page, 'review-bulk')
  await dialog.getByRole('button', { name: 'Release' }).last().click()
  await page.getByText('2 events decided').waitFor()
  await page.getByText('No quarantined event matches the filter').waitFor()
  const { data } = await callAs(service.url, agentKey).get(`/v1/agents/${agentId}/events`)
  const reviews = (data as readonly { readonly review: { readonly status: string } | null }[]).map(
    ({ review }) => review?.status,
  )
  expect(reviews.filter((status) => status === 'released')).toHaveLength(2)
})

test('a rule in shadow mode lets an event count, and shows what it would have quarantined', async () => {
  const { page } = operator
  await page.getByRole('link', { name: 'Rules' }).click()
  await page.getByLabel('Mode: contradictory_data').selectOption('shadow')
  await page.getByText('contradictory_data is changed.').waitFor()
  await report(platform.page, 'task.completed', '{"success": false, "duration": 700}')
  await platform.page.getByText('Reported: Task completed').last().waitFor()
  await page.reload()
  await page
    .getByRole('row', { name: /contradictory_data.*1 recorded instead of quarantined/ })
    .waitFor()
  await page.getByLabel('Mode: contradictory_data').selectOption('quarantine')
  await page.getByText('contradictory_data is changed.').waitFor()
})

test('the owner appeals once, and the appeal is stored', async () => {
  const { page } = owner
  await page.reload()
  await page.getByText('The task is marked as failed.').waitFor()
  await page.getByRole('button', { name: 'Appeal' }).click()
  await page.getByLabel('Why this event is right').fill('It was repeated and then done.')
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Appeal' }).click()
  await page.getByText('Appealed, waits for review').waitFor()
  await page.getByText('It was repeated and then done.').waitFor()
  expect(await page.getByRole('button', { name: 'Appeal' }).count()).toBe(0)
})

test('a webhook is created with its secret, and a test notification arrives', async () => {
  const { page } = owner
  const { port } = receiver.address() as AddressInfo
  await page.getByRole('navigation', { name: 'Main' }).getByText('Webhooks').click()
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  await page.getByLabel('Address').fill(`http://127.0.0.1:${port}/hook`)
  await page.getByRole('dialog').getByRole('button', { name: 'Add a webhook' }).click()
  expect(await copySecret(page)).toMatch(/^whsec_/)
  await page.getByRole('link', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByRole('row', { name: /Test Delivered/ }).waitFor()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('answered 200').waitFor()
})

test('a delivery is sent again, and both attempts are shown', async () => {
  const { page } = owner
  const received = new Promise<string | undefined>((resolve) => {
    receiver.once('request', ({ headers }) => resolve(String(headers['webhook-id'])))
  })
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('2 attempts').waitFor()
  expect(await received).toMatch(/^evt_/)
  await expect.poll(() => page.getByText('answered 200').count()).toBe(2)
})

test('a credential is issued, verified and revoked', async () => {
  const { page } = owner
  await page.goto(`/my/agents/${agentId}/credentials`)
  await page.getByRole('button', { name: 'Issue a credential' }).first().click()
  await page.getByLabel('Type').fill('SecurityAudit')
  await page.getByLabel('Claims').fill('{"grade": "A"}')
  await page.getByRole('dialog').getByRole('button', { name: 'Issue a credential' }).click()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Valid: Active').waitFor()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('SecurityAudit is revoked.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('SecurityAudit is revoked.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('SecurityAudit is revoked.').waitFor()
  const revoked = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect((await revoked).ok()).toBe(true)
  const { data } = await callAs(service.url, agentKey).get(`/v1/agents/${agentId}/events`)
  const types = (data as readonly { readonly type: string }[]).map(({ type }) => type)
  expect(types).toContain('credential.revoked')
})

test('none of these pages reports an error', () => {
  for (const watched of [operator, owner, platform]) {
    expectNothingWrong(watched)
  }
})

async function report(page: Page, type: string, data: string): Promise<void> {
  await page.getByRole('button', { name: 'Report an event' }).click()
  await page.getByLabel('What happened').selectOption(type)
  await page.getByLabel('Details').fill(data)
  await page.getByRole('button', { name: 'Report', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
