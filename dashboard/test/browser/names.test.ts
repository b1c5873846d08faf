import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { cutTables, openPage, shoot, sidewaysPx, signInAs } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const people = setUpPeople()

/** As long as a name may be, without a place to break it. */
const LONG =
  'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft'.padEnd(
    100,
    'x',
  )

/** An account, an agent, a platform and all that belongs to them, with names as long as may be. */
async function setUpNames() {
  const emailOf = (letter: string) =>
    `${letter.repeat(60)}${Date.now()}@${'long.'.repeat(20)}example.com`
  const body = {
    email: emailOf('l'),
    password: demo.owner.password,
    name: LONG,
  }
  const { token, owner, expiresAt } = await callAs(demo.url, null).post('/v1/auth/register', body)
  const caller = callAs(demo.url, String(token))
  const { id } = await caller.post('/v1/agents', { displayName: LONG })
  await caller.patch(`/v1/agents/${id}`, { publicProfile: true })
  const claims = { [LONG]: LONG }
  const { id: credential } = await caller.post('/v1/credentials', {
    agentId: id,
    type: 'L'.repeat(64),
    claims,
  })
  const path = `/v1/agents/${id}/identifiers`
  await caller.post(path, { type: 'domain', value: `${'long-name.'.repeat(20)}example.com` })
  const hook = { url: `http://127.0.0.1:9999/${LONG}`, events: ['*'], description: LONG }
  const { id: webhook } = await caller.post('/v1/webhooks', hook)
  await caller.post('/v1/keys', { name: LONG, scopes: ['read'] })
  await caller.post('/v1/invitations', { email: emailOf('m'), role: 'viewer' })
  await caller.post(`/v1/agents/${id}/transfers`, { toOwnerEmail: demo.owner.email })
  const operator = callAs(demo.url, demo.operatorKey)
  const platform = await operator.post('/v1/operator/platforms', { name: LONG })
  const reporter = callAs(demo.url, String(platform.apiKey))
  const data = { success: false, taskClass: 'c'.repeat(64) }
  const event = { type: 'task.completed', data, externalId: 'e'.repeat(100) }
  await reporter.post(`/v1/agents/${id}/events`, event)
  await reporter.put(`/v1/policies/${'p'.repeat(64)}`, { minScore: 100 })
  return {
    id,
    credential,
    webhook,
    owner: { kind: 'owner', credential: token, owner, expiresAt },
    operator: people.sessions.operator,
    platform: { kind: 'platform', credential: platform.apiKey },
  }
}

test('names of the maximum length fit a telephone and a desktop on every page', async () => {
  const { id, credential, webhook, ...sessions } = await setUpNames()
  const pages = {
    owner: [
      '/my/agents',
      ...['', '/events', '/quarantined', '/credentials', '/identifiers', '/webhooks'].map(
        (tab) => `/my/agents/${id}${tab}`,
      ),
      `/my/agents/${id}/settings`,
      '/my/transfers',
      '/my/webhooks',
      `/my/webhooks/${webhook}`,
      '/my/usage',
      '/my/team',
      '/my/keys',
      '/account',
      `/agents/${id}`,
      `/verify/${credential}`,
      '/agents',
    ],
    operator: [
      `/operator/agents/${id}`,
      '/operator/reviews',
      '/operator/platforms',
      '/operator/owners',
      '/operator/rules/contradictory_data',
      '/operator/audit',
    ],
    platform: [
      '/platform/agents',
      `/platform/agents/${id}`,
      '/platform/policies',
      '/platform/decide',
    ],
  } as const
  const wide: string[] = []
  for (const [kind, paths] of Object.entries(pages)) {
    const watched = await openPage(people.browser, demo.url, {
      viewport: { width: 320, height: 740 },
    })
    const { page } = watched
    await signInAs(page, sessions[kind as keyof typeof pages])
    for (const path of paths) {
      await page.goto(path)
      await shown(page)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 740 })
        if ((await sidewaysPx(page)) > 0 || (await cutTables(page)).length > 0) {
          wide.push(`${path} at ${width} px`)
        }
        await shoot(page, `long-${path.replaceAll(String(id), 'id').replace(/\W+/g, '-')}-${width}`)
      }
    }
    await watched.close()
  }
  expect(wide).toEqual([])
})

/** The page has its heading, and nothing on it is still loading. */
async function shown(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}
