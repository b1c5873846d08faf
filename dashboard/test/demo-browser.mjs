// What the scripts that look at the demo share: the demo, a session of its owner, and a browser.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'

const home = join(import.meta.dirname, '..')

/** The line that a running demo has printed (DEMO), or one that is started here. */
export async function openDemo() {
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

/** The session of the demo's owner, as signing in leaves it in the tab. */
export async function sessionOf({ url, owner }) {
  const { email, password } = owner
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { token, owner: record, expiresAt } = await response.json()
  return { kind: 'owner', credential: token, owner: record, expiresAt }
}

/** A page of a new context, in which the owner of the session is signed in. */
export async function openPage(browser, session, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    ...options,
  })
  const page = await context.newPage()
  await page.addInitScript(
    (text) => sessionStorage.setItem('standing.session', text),
    JSON.stringify(session),
  )
  return page
}

/** The browser of the tests, whose module is TypeScript. */
export async function openBrowser() {
  const outfile = join(home, 'node_modules', '.paint', 'chromium.mjs')
  const entryPoints = [join(home, 'test', 'browser', 'chromium.ts')]
  await build({ entryPoints, outfile, bundle: true, packages: 'external', format: 'esm' })
  const chromium = await import(outfile)
  return chromium.openBrowser()
}
