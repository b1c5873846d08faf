import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { axe, expectNothingWrong, shoot, sidewaysPx } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const people = setUpPeople()

const DAY_MS = 86_400_000
const DAYS = 365
const PER_DAY = 4

/** A year of good work with a bad fortnight in each quarter. */
function linesOf(agent: string, by: string): string {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  return Array.from({ length: DAYS * PER_DAY }, (_, i) => {
    const day = DAYS - Math.floor(i / PER_DAY)
    const isBad = day % 91 < 14 && i % 3 === 0
    return JSON.stringify({
      at: new Date(today - day * DAY_MS + (i % PER_DAY) * 3_600_000).toISOString(),
      agent,
      by,
      type: isBad ? 'task.failed' : 'task.completed',
      data: { duration: 900 + (i % 7) * 100 },
    })
  }).join('\n')
}

test('a year of events is drawn from its first month on, with failures marked', async () => {
  const owner = callAs(demo.url, people.sessions.owner.credential)
  const operator = callAs(demo.url, demo.operatorKey)
  const { id } = await owner.post('/v1/agents', { displayName: 'Yearling' })
  const { data: platforms } = await operator.get('/v1/operator/platforms')
  const by = (platforms as readonly { readonly id: string }[])[0]?.id ?? ''
  const imported = await fetch(`${demo.url}/v1/operator/imports?name=yearling-${Date.now()}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.operatorKey}`,
      'content-type': 'application/x-ndjson',
    },
    body: linesOf(String(id), by),
  })
  expect(imported.status).toBe(200)
  const watched = await people.open('owner')
  const { page } = watched
  await page.goto(`/my/agents/${id}`)
  await page.getByRole('button', { name: '1 year' }).click()
  await page.getByText(/^The chart shows/).waitFor()
  await page.locator('.history-legend').getByText('went wrong').waitFor()
  await expect.poll(() => lineWidth(page), { timeout: WAIT_MS }).toBeGreaterThan(300)
  await page.locator('.history + p + details summary').click()
  const rows = await page.locator('.twin tbody tr').allTextContents()
  expect(monthsOf(rows, 'Task failed')).toBeGreaterThanOrEqual(4)
  expect(monthsOf(rows, '')).toBeGreaterThanOrEqual(12)
  await page.locator('.history + p + details summary').click()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'agent-year-light')
  const [light, accent] = await coloursOf(page)
  expect(light).toBe(accent)
  await page.emulateMedia({ colorScheme: 'dark' })
  const [dark, darkAccent] = await coloursOf(page)
  expect(dark).toBe(darkAccent)
  expect(dark).not.toBe(light)
  await shoot(page, 'agent-year-dark')
  await page.setViewportSize({ width: 375, height: 740 })
  expect(await sidewaysPx(page)).toBe(0)
  await shoot(page, 'agent-year-375')
  expectNothingWrong(watched)
  await watched.close()
  await owner.delete(`/v1/agents/${id}`, undefined)
})

const WAIT_MS = 20_000

/** How wide the line of the score is, in pixels. */
function lineWidth(page: Page): Promise<number> {
  return page.evaluate(
    () => document.querySelector<SVGPathElement>('.history-line')?.getBBox().width ?? 0,
  )
}

/** The colour of the line, and the accent of the theme that holds. */
function coloursOf(page: Page): Promise<readonly [line: string, accent: string]> {
  return page.evaluate(() => {
    const probe = document.createElement('span')
    probe.style.color = 'var(--accent)'
    document.body.append(probe)
    const accent = getComputedStyle(probe).color
    probe.remove()
    const line = document.querySelector('.history-line')
    return [line ? getComputedStyle(line).stroke : '', accent] as const
  })
}

/** In how many different months the rows with a text are. */
function monthsOf(rows: readonly string[], text: string): number {
  const months = rows
    .filter((row) => row.includes(text))
    .map((row) => /\d+ (\w+ \d{4})/.exec(row)?.[1])
  return new Set(months).size
}
