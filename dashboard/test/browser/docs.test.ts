import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { axe, expectNothingWrong, openPage, sidewaysPx } from './browser.ts'
import { setUpPeople } from './people.ts'

const { url } = inject('demo')
const people = setUpPeople()

/** Every page that the contents name. */
const index = await (await fetch(`${url}/docs`)).text()
const PATHS = [...new Set(index.match(/(?<=<li><a href=")\/docs[^"#]*/g))]

/** A phone. */
const viewport = { width: 320, height: 740 }

test('the contents name every guide of the folder and the pages of the reference', () => {
  expect(PATHS.length).toBeGreaterThan(30)
  expect(PATHS).toEqual(
    expect.arrayContaining(['/docs', '/docs/start', '/docs/cli', '/docs/reference/events']),
  )
})

// Half of each is waiting for the browser, which meanwhile does another one.
test.concurrent.each(PATHS)(
  '%s on a phone has folded contents that mark the page, whole words in tables, no sideways scroll, and is accessible',
  async (path) => {
    const watched = await openPage(people.browser, url, { viewport })
    const { page } = watched
    await page.goto(path)
    expect(await sidewaysPx(page)).toBe(0)
    expect(await page.evaluate(brokenWords)).toEqual([])
    // What is folded takes no room: the page begins on the first screen.
    const contents = page.getByRole('navigation', { name: 'Documentation' })
    expect(await linksShown(contents)).toBe(0)
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.y).toBeLessThan(viewport.height)
    expect(await axe(page, 'all but colours')).toEqual([])
    await contents.getByText('Contents').click()
    const current = contents.locator('[aria-current="page"]')
    expect(await current.getAttribute('href')).toBe(path)
    expect(await linksShown(contents)).toBeGreaterThan(30)
    expect(await sidewaysPx(page)).toBe(0)
    expectNothingWrong(watched)
    await watched.close()
  },
)

/** The words in tables that begin in one line and end in another. */
function brokenWords(): readonly string[] {
  const broken: string[] = []
  for (const cell of document.querySelectorAll('.scroll :is(td, th)')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { index, 0: word } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}.]+/gu)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        broken.push(...(lines.size > 1 ? [word] : []))
      }
    }
  }
  return broken
}

/** One page of each kind: the others are made by the same code. */
const KINDS = ['/docs', '/docs/webhooks', '/docs/event-types', '/docs/reference/health']

test.concurrent.each(KINDS)('%s has accessible colours with its contents open', async (path) => {
  const watched = await openPage(people.browser, url, { viewport })
  const { page } = watched
  await page.goto(path)
  await page.getByText('Contents').click()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axe(page, 'colours')).toEqual([])
  }
  await watched.close()
})

test('the contents mark the current section visibly', async () => {
  const watched = await openPage(people.browser, url)
  const { page } = watched
  await page.goto('/docs/webhooks')
  const contents = page.getByRole('navigation', { name: 'Documentation' })
  const weightOf = (link: ReturnType<Page['locator']>) =>
    link.evaluate((element) => Number(getComputedStyle(element).fontWeight))
  const marked = contents.locator('[aria-current="page"]')
  expect(await marked.count()).toBe(1)
  const other = contents.getByRole('link', { name: 'Credentials', exact: true }).first()
  expect(await weightOf(marked)).toBeGreaterThan(await weightOf(other))
  await watched.close()
})

test('an event type is found by its name, without requests to other hosts', async () => {
  const watched = await openPage(people.browser, url, { viewport })
  const { page } = watched
  await page.goto('/docs')
  await page.getByRole('searchbox', { name: 'Search the documentation' }).fill('payment.late')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'payment.late', exact: true }).click()
  await page.waitForURL('**/docs/event-types#payment.late')
  const heading = page.getByRole('heading', { name: 'payment.late', exact: true })
  expect((await heading.boundingBox())?.y).toBeLessThan(viewport.height)
  expectNothingWrong(watched)
  await watched.close()
})

function linksShown(contents: ReturnType<Page['getByRole']>): Promise<number> {
  return contents.evaluate(
    (nav) => [...nav.querySelectorAll('a')].filter((link) => link.checkVisibility()).length,
  )
}
