// npm run pictures -w dashboard: draws the pictures of docs/img that show the dashboard, on the demo.
import { join } from 'node:path'
import { openBrowser, openDemo, openPage, sessionOf } from './demo-browser.mjs'

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'img')

/** The agent of the demo that was worse for a month and has recovered: its history shows most. */
const AGENT = 'Beacon Research'

async function draw(browser, { url, agents }, session, colorScheme) {
  const page = await openPage(browser, session, {
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: 'Europe/Berlin',
  })
  // A followed stream never ends, and the page would never count as loaded.
  await page.route('**/events/stream', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: '' }),
  )
  await page.goto(`${url}/my/agents/${agents[AGENT]}`, { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.waitForLoadState('networkidle')
  await page.locator('.history-chart canvas').waitFor()
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(FOLDER, `dashboard-${colorScheme}.png`) })
  await page.context().close()
}

const { demo, close } = await openDemo()
const browser = await openBrowser()
const session = await sessionOf(demo)
for (const colorScheme of ['light', 'dark']) {
  await draw(browser, demo, session, colorScheme)
}
await browser.close()
close()
