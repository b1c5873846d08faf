import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

const SHOTS = join(import.meta.dirname, '..', '..', 'shots')
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A page that notes everything that should not happen on it. */
export interface Watched {
  readonly page: Page
  /** Errors of the console and of scripts, and requests to other hosts. */
  readonly wrong: string[]
  close(): Promise<void>
}

/** Enough on a machine that does much else; a failure is known sooner than by the default. */
const WAIT_MS = 20_000

export async function openPage(
  browser: Browser,
  siteUrl: string,
  options: BrowserContextOptions = {},
  /** Other hosts that the page may lead to, as their origins. */
  others: readonly string[] = [],
): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: siteUrl,
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const wrong: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') {
      wrong.push(`console: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => wrong.push(`script: ${error.stack ?? error.message}`))
  const origins = [new URL(siteUrl).origin, ...others]
  page.on('request', (request) => {
    const url = request.url()
    const isOwn = origins.includes(new URL(url).origin) || /^(data|blob):/.test(url)
    if (!isOwn) {
      wrong.push(`outside request: ${url}`)
    }
  })
  return { page, wrong, close: () => context.close() }
}

/** The signed-in account, as the tab stores it. */
export async function signInAs(page: Page, session: object): Promise<void> {
  await page.addInitScript(
    (text) => sessionStorage.setItem('standing.session', text),
    JSON.stringify(session),
  )
}

/** Copies what a dialog shows once, and returns it. */
export async function copySecret(page: Page): Promise<string> {
  const secret = page.locator('.dialog .secret')
  await secret.getByRole('button', { name: 'Copy' }).click()
  return secret.locator('code').innerText()
}

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

const EVERY_RULE = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
/** All that another theme can change. */
const COLOURS = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** The rules that a look applies: colours take much longer than all the others on a long page. */
const RULES = {
  'every rule': { runOnly: EVERY_RULE },
  colours: { runOnly: COLOURS },
  'all but colours': {
    runOnly: EVERY_RULE,
    rules: Object.fromEntries(COLOURS.values.map((rule) => [rule, { enabled: false }])),
  },
}

/** What axe-core finds on the page as it is. Evaluated from outside, so the policy stays strict. */
export async function axe(
  page: Page,
  rules: keyof typeof RULES = 'every rule',
): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const violations = await page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> }
    }
    const options = { ...chosen, resultTypes: ['violations'], preload: false }
    return (await axe.run(options)).violations
  }, RULES[rules])
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n  ${html}\n  ${failureSummary ?? ''}`),
  )
}

/** A guide ten thousand pixels high takes a busy machine half a minute to paint. */
const SHOT_MS = 120_000

/** Screenshots are for people to look at: no test reads them, and a long page takes seconds to paint. */
const TAKES_SCREENSHOTS = process.env.SCREENSHOTS === 'on'

/** Takes the whole page, or the part in sight of one that is higher than the browser can draw. */
export async function shoot(page: Page, name: string, part: 'all' | 'in sight' = 'all') {
  if (!TAKES_SCREENSHOTS) {
    return
  }
  await mkdir(SHOTS, { recursive: true })
  const path = join(SHOTS, `${name}.png`)
  await page.screenshot({ path, fullPage: part === 'all', timeout: SHOT_MS })
}

/**
 * Shows every time in its widest words. What a page shows depends on when it is looked at:
 * a page that fits "1 hour ago" may not fit this.
 */
export function widenTimes(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const { firstChild } of document.querySelectorAll('time')) {
      if (firstChild) {
        firstChild.nodeValue = '59 minutes ago'
      }
    }
  })
}

/** The tables, and the scores of agents, that hide a part of themselves to the right. */
export function cutTables(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.table-frame, .cell-tier')]
      .filter((frame) => frame.scrollWidth > frame.clientWidth)
      .map((frame) => frame.textContent?.slice(0, 80) ?? ''),
  )
}

/** How far the page can be scrolled sideways: not at all, if it fits. */
export function sidewaysPx(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}

export function expectNothingWrong({ wrong }: Watched): void {
  expect(wrong).toEqual([])
}
