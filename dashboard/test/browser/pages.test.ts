import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import type { Kind } from '../../src/session/session.ts'
import {
  axe,
  cutTables,
  expectNothingWrong,
  openPage,
  shoot,
  sidewaysPx,
  signInAs,
  widenTimes,
} from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

interface Looked {
  readonly name: string
  readonly who: Kind | null
  readonly path: string
  /** What is opened on the page before it is looked at. */
  readonly open?: (page: Page) => Promise<void>
}

const beacon = demo.agents['Beacon Research']
const atlas = demo.agents['Atlas Invoicing']
const fern = demo.agents['Fern Onboarding']

const PAGES: readonly Looked[] = [
  { name: 'sign-in', who: null, path: '/' },
  { name: 'profile', who: null, path: `/agents/${atlas}` },
  { name: 'profile-newcomer', who: null, path: `/agents/${fern}` },
  { name: 'profile-poor', who: null, path: `/agents/${demo.agents['Ember Scraper']}` },
  { name: 'verify-valid', who: null, path: `/verify/${demo.credentials.valid}` },
  { name: 'verify-revoked', who: null, path: `/verify/${demo.credentials.revoked}` },
  { name: 'leaderboard', who: null, path: '/agents' },
  { name: 'docs', who: null, path: '/docs' },
  { name: 'docs-start', who: null, path: '/docs/start' },
  { name: 'docs-scoring', who: null, path: '/docs/scoring' },
  { name: 'docs-event-types', who: null, path: '/docs/event-types' },
  { name: 'docs-reference', who: null, path: '/docs/reference/scores' },
  {
    name: 'docs-webhooks',
    who: null,
    path: '/docs/reference/webhooks',
    open: (page) => page.getByText('score.tier_changed').first().click(),
  },
  { name: 'docs-search', who: null, path: '/docs/search?q=score' },
  { name: 'docs-errors', who: null, path: '/docs/errors' },
  { name: 'docs-error', who: null, path: '/docs/errors/VALIDATION_ERROR' },
  { name: 'agents', who: 'owner', path: '/my/agents' },
  { name: 'agents-none-found', who: 'owner', path: '/my/agents?q=nothing' },
  {
    name: 'register',
    who: 'owner',
    path: '/my/agents',
    open: (page) => page.getByRole('button', { name: 'Register an agent' }).click(),
  },
  { name: 'agent', who: 'owner', path: `/my/agents/${beacon}` },
  { name: 'agent-newcomer', who: 'owner', path: `/my/agents/${fern}` },
  {
    name: 'agent-events',
    who: 'owner',
    path: `/my/agents/${beacon}/events`,
    open: (page) => page.locator('.row-toggle').first().click(),
  },
  { name: 'agent-quarantined', who: 'owner', path: `/my/agents/${atlas}/quarantined` },
  { name: 'agent-credentials', who: 'owner', path: `/my/agents/${atlas}/credentials` },
  {
    name: 'credential-issue',
    who: 'owner',
    path: `/my/agents/${atlas}/credentials`,
    open: (page) => page.getByRole('button', { name: 'Issue a credential' }).click(),
  },
  {
    name: 'credential-qr',
    who: 'owner',
    path: `/my/agents/${atlas}/credentials`,
    open: async (page) => {
      await page.getByRole('button', { name: 'Actions' }).first().click()
      await page.getByRole('button', { name: 'Show a QR code' }).click()
      await page.getByRole('img', { name: /^QR code of http.*\/verify\// }).waitFor()
    },
  },
  { name: 'agent-identifiers', who: 'owner', path: `/my/agents/${atlas}/identifiers` },
  {
    name: 'identifier-claim',
    who: 'owner',
    path: `/my/agents/${atlas}/identifiers`,
    open: (page) => page.getByRole('button', { name: 'Claim an identifier' }).click(),
  },
  {
    name: 'identifier-prove',
    who: 'owner',
    path: `/my/agents/${atlas}/identifiers`,
    open: (page) => page.getByRole('button', { name: 'Prove atlas.example.com' }).click(),
  },
  { name: 'agent-webhooks', who: 'owner', path: `/my/agents/${atlas}/webhooks` },
  { name: 'agent-settings', who: 'owner', path: `/my/agents/${atlas}/settings` },
  {
    name: 'transfers',
    who: 'owner',
    path: '/my/transfers',
    open: async (page) => {
      await page.getByRole('button', { name: 'Accept Ember Scraper' }).click()
      await page.locator('.dialog .tier-score').waitFor()
    },
  },
  { name: 'webhooks', who: 'owner', path: '/my/webhooks' },
  {
    name: 'webhook',
    who: 'owner',
    path: '/my/webhooks',
    open: async (page) => {
      await page.getByRole('link', { name: /broken/ }).click()
      await page.locator('.row-toggle').first().click()
      await page.getByText('Payload', { exact: true }).waitFor()
    },
  },
  { name: 'usage', who: 'owner', path: '/my/usage' },
  { name: 'team', who: 'owner', path: '/my/team' },
  {
    name: 'invite',
    who: 'owner',
    path: '/my/team',
    open: (page) => page.getByRole('button', { name: 'Invite a person' }).click(),
  },
  { name: 'api-keys', who: 'owner', path: '/my/keys' },
  {
    name: 'api-key-create',
    who: 'owner',
    path: '/my/keys',
    open: (page) => page.getByRole('button', { name: 'Create a key' }).click(),
  },
  { name: 'account', who: 'owner', path: '/account' },
  {
    name: 'palette',
    who: 'owner',
    path: '/account',
    open: async (page) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('a')
    },
  },
  { name: 'no-right', who: 'owner', path: '/operator/reviews' },
  { name: 'not-found', who: 'owner', path: '/my/nothing' },
  { name: 'reviews', who: 'operator', path: '/operator/reviews' },
  { name: 'operator-agents', who: 'operator', path: '/operator/agents' },
  {
    name: 'operator-agent-tables',
    who: 'operator',
    path: `/operator/agents/${fern}`,
    open: async (page) => {
      for (const summary of await page.locator('summary').all()) {
        await summary.click()
      }
    },
  },
  { name: 'platforms', who: 'operator', path: '/operator/platforms' },
  { name: 'owners', who: 'operator', path: '/operator/owners' },
  { name: 'rules', who: 'operator', path: '/operator/rules' },
  { name: 'findings', who: 'operator', path: '/operator/rules/contradictory_data' },
  { name: 'figures', who: 'operator', path: '/operator/figures' },
  { name: 'keys', who: 'operator', path: '/operator/keys' },
  { name: 'imports', who: 'operator', path: '/operator/imports' },
  { name: 'operators', who: 'operator', path: '/operator/operators' },
  { name: 'audit', who: 'operator', path: '/operator/audit' },
  { name: 'health', who: 'operator', path: '/operator/health' },
  { name: 'reported', who: 'platform', path: '/platform/agents' },
  { name: 'policies', who: 'platform', path: '/platform/policies' },
  {
    name: 'policy-tested',
    who: 'platform',
    path: '/platform/policies',
    open: async (page) => {
      await page.getByRole('button', { name: 'Edit and test purchases' }).click()
      await page.getByRole('button', { name: /^Test on the last/ }).click()
      await page.getByText('With another minimum score').waitFor()
    },
  },
  {
    name: 'decide',
    who: 'platform',
    path: '/platform/decide',
    open: async (page) => {
      await page.getByLabel('Agent', { exact: true }).fill(String(beacon))
      await page.getByRole('button', { name: 'Ask for a decision' }).click()
      await page.getByText('Holds until').waitFor()
    },
  },
  { name: 'platform-agent', who: 'platform', path: `/platform/agents/${beacon}` },
]

const people = setUpPeople()

/** As much as text may move before a page counts as steady (Core Web Vitals). */
const SHIFT_MAX = 0.1

/** Tablets, upright and with the places of the dashboard at the side, and the narrowest telephone. */
const NARROW_PX = [1024, 900, 820, 320]

// Each waits for half a second of silence, in which another one is looked at.
test.concurrent.each(PAGES)(
  '$name is accessible in both themes, fits narrow screens, and sends requests only to its own host',
  async (looked) => {
    const watched = await openPage(people.browser, demo.url)
    const { page } = watched
    if (looked.who) {
      await signInAs(page, people.sessions[looked.who])
    }
    await countShifts(page)
    await endStreams(page)
    await page.goto(looked.path, { waitUntil: 'networkidle' })
    expect(await shiftOf(page)).toBeLessThan(SHIFT_MAX)
    await looked.open?.(page)
    expect(await axe(page)).toEqual([])
    await shoot(page, `${looked.name}-light`)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await axe(page, 'colours')).toEqual([])
    await shoot(page, `${looked.name}-dark`)
    await page.emulateMedia({ colorScheme: 'light' })
    await widenTimes(page)
    for (const width of NARROW_PX) {
      await page.setViewportSize({ width, height: 740 })
      expect([width, await sidewaysPx(page), await cutTables(page)]).toEqual([width, 0, []])
      await shoot(page, `${looked.name}-${width}`)
    }
    expectNothingWrong(watched)
    await watched.close()
  },
)

test('every page fits 2560 px', async () => {
  const watched = await openPage(people.browser, demo.url, {
    viewport: { width: 2560, height: 1300 },
  })
  await signInAs(watched.page, people.sessions.owner)
  await endStreams(watched.page)
  for (const { name, path } of PAGES.filter(({ who, open }) => who === 'owner' && !open)) {
    await watched.page.goto(path, { waitUntil: 'networkidle' })
    expect([name, await sidewaysPx(watched.page)]).toEqual([name, 0])
    await shoot(watched.page, `${name}-2560`)
  }
  await watched.close()
})

/** While events are followed, a request is always open: the page would never count as loaded. */
async function endStreams(page: Page): Promise<void> {
  const ended = { contentType: 'text/event-stream', body: '' }
  await page.route('**/events/stream', (route) => route.fulfill(ended))
}

async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counter = globalThis as unknown as { shifted: number }
    counter.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as unknown as {
          value: number
          hadRecentInput: boolean
        }
        if (!hadRecentInput) {
          counter.shifted += value
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted)
}
