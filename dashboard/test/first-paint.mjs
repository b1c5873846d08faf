// npm run paint -w dashboard: how soon the page of an agent with a year of events is painted, on the demo,
// with nothing cached. Writes the figures into docs/dashboard.md.
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { openBrowser, openDemo, openPage, sessionOf } from './demo-browser.mjs'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'dashboard.md')

/** The agent of the demo whose first event is a year old. */
const YEARLING = 'Atlas Invoicing'

/** The first one has the service make what it keeps for the others. */
const RUNS = 6

/** Milliseconds since the request to the first paint and the score; then from a press of `1 year` to its chart. */
async function measure(browser, { url, agents }, session) {
  const page = await openPage(browser, session)
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('.headline-score')) {
        performance.mark('score')
        observer.disconnect()
      }
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(`${url}/my/agents/${agents[YEARLING]}`)
  await page.locator('.headline-score').waitFor()
  const times = await page.evaluate(() =>
    ['first-contentful-paint', 'score'].map((name) =>
      Math.round(performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN),
    ),
  )
  const year = await drawYear(page)
  await page.context().close()
  return { paint: times[0], score: times[1], year }
}

async function drawYear(page) {
  await page.locator('.history-chart canvas').waitFor()
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const buttons = [...document.querySelectorAll('.segmented button')]
    const before = document.querySelector('.history-chart canvas')
    const from = performance.now()
    buttons.find((button) => button.textContent === '1 year').click()
    let chart = before
    while (!chart || chart === before) {
      await frame()
      chart = document.querySelector('.history-chart canvas')
    }
    await frame()
    return Math.round(performance.now() - from)
  })
}

const ROWS = {
  paint: 'something is painted',
  score: 'the score is there',
  year: 'the chart of the year is there, after a press of “1 year”',
}

/** A table of the first visit and of the others. */
function tableOf([first, ...others]) {
  const range = (name) => {
    const sorted = others.map((one) => one[name]).sort((a, b) => a - b)
    return `${sorted[0]} to ${sorted.at(-1)} ms`
  }
  const rows = Object.entries(ROWS).map(
    ([name, says]) => `| ${says} | ${first[name]} ms | ${range(name)} |`,
  )
  const machine = `on ${availableParallelism()} cores, load ${loadavg()[0].toFixed(0)}`
  return [`| ${machine} | first visit | later visits |`, '|---|---|---|', ...rows].join('\n')
}

const { demo, close } = await openDemo()
const browser = await openBrowser()
const session = await sessionOf(demo)
const visits = []
for (let run = 0; run < RUNS; run++) {
  visits.push(await measure(browser, demo, session))
}
await browser.close()
close()
const table = tableOf(visits)
console.log(table)
const text = await readFile(PAGE, 'utf8')
const block = `<!-- paint -->\n${table}\n<!-- /paint -->`
await writeFile(PAGE, text.replace(/<!-- paint -->[\s\S]*<!-- \/paint -->/, block))
