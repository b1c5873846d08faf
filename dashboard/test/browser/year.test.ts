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
  await expect.poll(() => drawnColumns(page), { timeout: WAIT_MS }).toBeGreaterThan(300)
  await page.locator('.history + p + details summary').click()
  const rows = await page.locator('.twin tbody tr').allTextContents()
  expect(monthsOf(rows, 'Task failed')).toBeGreaterThanOrEqual(4)
  expect(monthsOf(rows, '')).toBeGreaterThanOrEqual(12)
  await page.locator('.history + p + details summary').click()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'agent-year-light')
  const light = await accentOf(page)
  expect(await pixelsOf(page, light)).toBeGreaterThan(LINE_PIXELS)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await accentOf(page)
  expect(dark).not.toEqual(light)
  await expect.poll(() => pixelsOf(page, dark), { timeout: WAIT_MS }).toBeGreaterThan(LINE_PIXELS)
  expect(await pixelsOf(page, light)).toBe(0)
  expect(await drawnColumns(page)).toBeGreaterThan(300)
  await shoot(page, 'agent-year-dark')
  await page.setViewportSize({ width: 320, height: 740 })
  expect(await sidewaysPx(page)).toBe(0)
  await shoot(page, 'agent-year-320')
  expectNothingWrong(watched)
  await watched.close()
  await owner.delete(`/v1/agents/${id}`, undefined)
})

const WAIT_MS = 20_000

/** How many columns of pixels of the chart have something on them. */
function drawnColumns(page: Page): Promise<number> {
  return page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.history-chart canvas')
    const context = canvas?.getContext('2d')
    if (!canvas || !context) {
      return 0
    }
    const { width, height } = canvas
    const { data } = context.getImageData(0, 0, width, height)
    const isDrawn = (x: number) => {
      for (let y = 0; y < height; y++) {
        if ((data[(y * width + x) * 4 + 3] ?? 0) > 0) {
          return true
        }
      }
      return false
    }
    return Array.from({ length: width }, (_, x) => x).filter(isDrawn).length
  })
}

/** Less of a line through a year would not be seen. */
const LINE_PIXELS = 100

/** The accent of the theme that holds, as a canvas shows it. */
function accentOf(page: Page): Promise<readonly number[]> {
  return page.evaluate(() => {
    const probe = document.createElement('span')
    probe.style.color = 'var(--accent)'
    document.body.append(probe)
    const context = document.createElement('canvas').getContext('2d')
    if (!context) {
      return []
    }
    context.fillStyle = getComputedStyle(probe).color
    probe.remove()
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data]
  })
}

/** How many pixels of the chart have this colour. A pixel at the edge of a line is partly transparent, and rounded. */
function pixelsOf(page: Page, [red, green, blue]: readonly number[]): Promise<number> {
  return page.evaluate(
    (wanted) => {
      const [HALF_COVERED, ROUNDING] = [128, 4]
      const canvas = document.querySelector<HTMLCanvasElement>('.history-chart canvas')
      const context = canvas?.getContext('2d')
      if (!canvas || !context) {
        return 0
      }
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
      let count = 0
      for (let i = 0; i < data.length; i += 4) {
        const isNear = wanted.every(
          (part = 0, at) => Math.abs((data[i + at] ?? 0) - part) <= ROUNDING,
        )
        count += isNear && (data[i + 3] ?? 0) >= HALF_COVERED ? 1 : 0
      }
      return count
    },
    [red, green, blue],
  )
}

/** In how many different months the rows with a text are. */
function monthsOf(rows: readonly string[], text: string): number {
  const months = rows
    .filter((row) => row.includes(text))
    .map((row) => /\d+ (\w+ \d{4})/.exec(row)?.[1])
  return new Set(months).size
}
