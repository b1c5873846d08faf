// npm run paint -w dashboard: how soon the page of an agent is painted, on the demo, with nothing cached.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'

const home = join(import.meta.dirname, '..')

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

/** When something was painted first, and when the score stood there, in milliseconds since the request. */
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
  await page.goto(`${url}/my/agents/${agents['Beacon Research']}`)
  await page.locator('.headline-score').waitFor()
  const times = await page.evaluate(() =>
    ['first-contentful-paint', 'score'].map((name) =>
      Math.round(performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN),
    ),
  )
  await context.close()
  return times
}

const outfile = join(home, 'node_modules', '.paint', 'chromium.mjs')
const entryPoints = [join(home, 'test', 'browser', 'chromium.ts')]
await build({ entryPoints, outfile, bundle: true, packages: 'external', format: 'esm' })
const { openBrowser } = await import(outfile)
const { demo, close } = await openDemo()
const browser = await openBrowser()
const session = await sessionOf(demo)
for (let run = 1; run <= RUNS; run++) {
  const [first, score] = await measure(browser, demo, session)
  console.log(`${run}: first paint ${first} ms, score on screen ${score} ms`)
}
await browser.close()
close()
