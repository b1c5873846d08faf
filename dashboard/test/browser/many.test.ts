import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { expectNothingWrong, openPage, shoot, signInAs } from './browser.ts'
import { openBrowser } from './chromium.ts'

const demo = inject('demo')

/** Ten thousand by MANY_AGENTS=10000; a part of that shows the same in less time. */
const AGENTS = Number(process.env.MANY_AGENTS ?? 500)
const PARALLEL = 8

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

test(
  'a list of many agents renders the visible rows, and finds any agent',
  async () => {
    const body = {
      email: `many-${Date.now()}@example.com`,
      password: 'correct horse battery staple',
    }
    const session = await callAs(demo.url, null).post('/v1/auth/register', body)
    const { id } = session.owner as { id: string }
    await callAs(demo.url, demo.operatorKey).patch(`/v1/operator/owners/${id}`, {
      tier: 'platform',
    })
    const owner = callAs(demo.url, String(session.token))
    const names = Array.from({ length: AGENTS }, (_, i) => `agent ${String(i).padStart(5, '0')}`)
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (let name = names.pop(); name; name = names.pop()) {
          await owner.post('/v1/agents', { displayName: name })
        }
      }),
    )
    const watched = await openPage(browser, demo.url)
    const { page } = watched
    await signInAs(page, {
      kind: 'owner',
      credential: String(session.token),
      owner: { ...(session.owner as object), tier: 'platform' },
      expiresAt: session.expiresAt,
    })
    await page.goto('/my/agents?sort=name')
    const all = new Intl.NumberFormat('en-GB').format(AGENTS)
    await page.getByText(`${all} agents`, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'agent 00000' }).waitFor()
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(AGENTS + 1))
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    await page.keyboard.press('End')
    const last = `agent ${String(AGENTS - 1).padStart(5, '0')}`
    await page.getByRole('link', { name: last }).waitFor()
    await shoot(page, 'agents-many', 'in sight')
    await page.keyboard.press('Home')
    await page.keyboard.press('/')
    await page.keyboard.type('00377')
    await page.getByRole('link', { name: 'agent 00377' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    expectNothingWrong(watched)
    await watched.close()
  },
  AGENTS * 60 + 60_000,
)
