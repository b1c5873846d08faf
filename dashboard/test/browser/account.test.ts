import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import type { Kind } from '../../src/session/session.ts'
import { callAs } from '../demo/caller.ts'
import { copySecret, expectNothingWrong, shoot, signInAs } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const people = setUpPeople()

async function open(kind: Kind, path: string) {
  const watched = await people.open(kind)
  await watched.page.goto(path)
  return watched
}

test('an owner creates an API key that works, and can undo a revocation for ten seconds', async () => {
  const watched = await open('owner', '/my/keys')
  const { page } = watched
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create a key' })
  await dialog.getByLabel('Name').fill('nightly report')
  await dialog.getByRole('button', { name: 'Create a key' }).click()
  const key = await copySecret(page)
  expect(key).toMatch(/^avw_/)
  const { data } = await callAs(demo.url, key).get('/v1/agents')
  expect(data).not.toEqual([])
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /nightly report/ })
  await row.getByRole('button', { name: /Revoke/ }).click()
  await row.getByText('Revoked').waitFor()
  await page.keyboard.press('z')
  await row.getByText('Active').waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('an owner ends another session by keyboard, and signing out ends the current one', async () => {
  const anyone = callAs(demo.url, null)
  const login = { email: 'rosa@example.com', password: 'correct horse battery staple' }
  const { token: other } = await anyone.post('/v1/auth/register', login)
  const { token, owner, expiresAt } = await anyone.post('/v1/auth/login', login)
  const watched = await people.open(null)
  const { page } = watched
  await signInAs(page, { kind: 'owner', credential: token, owner, expiresAt })
  await page.goto('/account')
  await page.getByRole('row', { name: /This session/ }).waitFor()
  await page.getByRole('button', { name: /^End / }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The session has ended.').waitFor()
  expect(await page.getByRole('button', { name: /^End / }).count()).toBe(0)
  const me = (credential: unknown) => callAs(demo.url, String(credential)).get('/v1/auth/me')
  await expect(me(other)).rejects.toThrow('401')
  await me(token)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await expect.poll(() => me(token).then(String, String)).toContain('401')
  expectNothingWrong(watched)
  await watched.close()
})

test('an owner invites a person and gets the link to pass on', async () => {
  const watched = await open('owner', '/my/team')
  const { page } = watched
  await page.getByRole('button', { name: 'Invite a person' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill('linus@example.com')
  await dialog.getByRole('button', { name: 'Invite a person' }).click()
  expect(await copySecret(page)).toContain('/invitation?token=')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /linus@example.com/ }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('a platform sees the decisions that it requested on the page or by API, and how a policy performed', async () => {
  const ask = async (name: string) => {
    await page.getByLabel('Agent', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Ask for a decision' }).click()
    await page.getByText('Holds until').waitFor()
  }
  const watched = await open('platform', '/platform/decide')
  const { page } = watched
  await ask(String(demo.agents['Atlas Invoicing']))
  await ask('did:web:unknown.example.com')
  await page
    .getByRole('row', { name: /^Atlas Invoicing/ })
    .first()
    .waitFor()
  await page
    .getByRole('row', { name: /^did:web:unknown\.example/ })
    .first()
    .waitFor()
  await fetch(`${demo.url}/v1/gate`, {
    headers: { 'x-api-key': demo.platformKey, 'x-agent-identifier': 'gated.example.com' },
  })
  await page.reload()
  await page
    .getByRole('row', { name: /^Atlas Invoicing/ })
    .first()
    .waitFor()
  await page
    .getByRole('row', { name: /^gated\.example\.com.*Gate/ })
    .first()
    .waitFor()
  await page.getByRole('img', { name: /^Losses and good deals/ }).waitFor()
  await page.getByRole('link', { name: 'Atlas Invoicing' }).first().click()
  await page.getByRole('heading', { name: 'Atlas Invoicing' }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('an operator tests an import, sees the resulting score, and imports', async () => {
  const owner = callAs(demo.url, people.sessions.owner.credential)
  const { id } = await owner.post('/v1/agents', { displayName: 'Juno Archive' })
  const operator = callAs(demo.url, people.sessions.operator.credential)
  const { data } = await operator.get('/v1/operator/platforms')
  const by = (data as readonly { readonly id: string }[])[0]?.id
  const lines = Array.from({ length: 40 }, (_, day) =>
    JSON.stringify({
      at: new Date(Date.UTC(2025, 0, 1 + day, 9)).toISOString(),
      agent: id,
      by,
      type: 'task.completed',
      data: { duration: 1_200 },
    }),
  )
  const folder = await mkdtemp(join(tmpdir(), 'standing-import-'))
  const file = join(folder, 'orders-2025.jsonl')
  await writeFile(file, lines.join('\n'))
  const watched = await open('operator', '/operator/imports')
  const { page } = watched
  await page.getByLabel('File of JSON lines').setInputFiles(file)
  expect(await page.getByLabel('Name of the import').inputValue()).toBe('orders-2025')
  await page.getByRole('button', { name: 'Dry run' }).click()
  await page.getByRole('heading', { name: 'What the import would write' }).waitFor()
  const before = await callAs(demo.url, null).get(`/v1/agents/${id}/score`)
  expect(before.eventCount).toBe(0)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  const shown = await page
    .getByRole('row', { name: String(id) })
    .locator('td')
    .textContent()
  const after = await callAs(demo.url, null).get(`/v1/agents/${id}/score`)
  expect([after.eventCount, String(after.score)]).toEqual([40, shown])
  expectNothingWrong(watched)
  await watched.close()
  await rm(folder, { recursive: true })
  await owner.delete(`/v1/agents/${id}`, undefined)
})

test('the operator discards the reports of a platform, after a reason and its name are typed', async () => {
  const operator = callAs(demo.url, people.sessions.operator.credential)
  const name = 'Leaky Bazaar'
  const { id, apiKey } = await operator.post('/v1/operator/platforms', { name, verified: true })
  const owner = callAs(demo.url, people.sessions.owner.credential)
  const agent = await owner.post('/v1/agents', { displayName: 'Kite Courier' })
  const platform = callAs(demo.url, String(apiKey))
  for (let i = 0; i < 3; i++) {
    await platform.post(`/v1/agents/${agent.id}/events`, { type: 'task.failed' })
  }
  const watched = await open('operator', '/operator/platforms')
  const { page } = watched
  await page.getByRole('button', { name: `Actions: ${name}` }).click()
  await page.getByRole('button', { name: 'Discard reports' }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard reports' })
  const confirm = dialog.getByRole('button', { name: 'Discard reports' })
  await dialog.getByLabel('Reason, for the audit log').fill('Its key leaked.')
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel(`Type ${name} to discard`).fill(name)
  await shoot(page, 'discard-reports')
  await confirm.click()
  await page.getByText('The reports are being discarded.').waitFor()
  await expect
    .poll(async () => {
      const { data } = await owner.get(`/v1/agents/${agent.id}/events?type=reports.discarded`)
      return (data as readonly { readonly data: unknown }[]).map((event) => event.data)
    })
    .toEqual([{ platformId: id }])
  expectNothingWrong(watched)
  await watched.close()
})

test('the operator downloads the audit log as lines of JSON', async () => {
  const watched = await open('operator', '/operator/audit')
  const { page } = watched
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.map((line) => JSON.parse(line).number)).toEqual(lines.map((_, i) => i + 1))
  expectNothingWrong(watched)
  await watched.close()
})
