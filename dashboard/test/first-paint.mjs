// npm run paint -w dashboard: how soon the page of an agent with a year of events is painted, on the demo,
// with nothing cached. Writes the figures into docs/dashboard.md.
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'

const home = join(import.meta.dirname, '..')
const PAGE = join(home, '..', 'docs', 'dashboard.md')

/** The agent of the demo whose first event is a year old. */
const YEARLING = 'Atlas Invoicing'

/** The first one has the service make what it keeps for the others. */
const RUNS = 6

/** The line that a running demo has printed, or one that is started here. */
async function openDemo() {
  if (process.env.DEMO) {
    return { demo: JSON.parse(process.env.DEMO), close() {} }
  }
  const child = spawn(process.execPath, ['test/demo.mjs'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{"msg":"demo"')) {
      return { demo: JSON.parse(line), close: () => child.kill('SIGTERM') }
    }
  }
  throw new Error('the demo ended before it could be looked at')
}

async function sessionOf({ url, owner }) {
  const { email, password } = owner
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { token, owner: record, expiresAt } = await response.json()
  return { kind: 'owner', credential: token, owner: record, expiresAt }
}

/** Milliseconds since the request to the first paint and the score; then from a press of `1 year` to its chart. */
async function measure(browser, { url, agents }, session) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
  })
  const page = await context.newPage()
  await page.addInitScript(
    (text) => sessionStorage.setItem('standing.session', text),
    JSON.stringify(session),
  )
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
  await context.close()
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

const outfile = join(home, 'node_modules', '.paint', 'chromium.mjs')
const entryPoints = [join(home, 'test', 'browser', 'chromium.ts')]
await build({ entryPoints, outfile, bundle: true, packages: 'external', format: 'esm' })
const { openBrowser } = await import(outfile)
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
