import type { Page, Response, Route } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { copySecret } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const { open } = setUpPeople()

test('a key that is created while an older list is on its way is shown', async () => {
  const { page, close } = await open('owner')
  await page.goto('/my/keys')
  await page.getByRole('row', { name: /billing server/ }).waitFor()
  const first = `first of ${Date.now()}`
  const second = `second of ${Date.now()}`
  const list = holdNext(page, 'GET')
  await create(page, first)
  await list.answered
  await create(page, second)
  list.release()
  await page.getByRole('row', { name: second }).waitFor()
  await page.getByRole('row', { name: first }).waitFor()
  await close()
})

test('what a former session is refused later does not end the session of the next person', async () => {
  const { page, close } = await open(null)
  await page.goto('/my/keys')
  await signIn(page)
  await page.getByRole('row', { name: /billing server/ }).waitFor()
  const refused = holdNext(page, 'POST', { status: 401, json: {} })
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('too late')
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
  await refused.answered
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signIn(page)
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  const arrived = page.waitForResponse((response: Response) => response.status() === 401)
  refused.release()
  await (await arrived).finished()
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
  await close()
})

test('a page whose language cannot be loaded is shown in English', async () => {
  const { page, close } = await open(null, { locale: 'de-DE' })
  await page.goto('/')
  await page.getByRole('button', { name: 'Anmelden' }).waitFor()
  await page.route(/\/assets\/de-/, (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await close()
})

test.each([
  ['the page of a proxy', { contentType: 'text/html', body: '<h1>Welcome to the network</h1>' }],
  ['a cut answer', { contentType: 'application/json', body: '{"data":[' }],
])('%s is not taken for an answer of the service', async (_, answer) => {
  const { page, close } = await open('owner')
  await page.route(/\/v1\/(agents|keys)/, (route) => route.fulfill(answer))
  for (const path of ['/my/keys', '/my/agents', '/my/usage']) {
    await page.goto(path)
    await page.getByText('This is not an answer of the service').first().waitFor()
    expect(await page.getByText(/Error:|0 of 10/).count()).toBe(0)
  }
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page
    .getByText(/^[1-9] of 10/)
    .first()
    .waitFor()
  await close()
})

test.each([
  [429, 'More requests than your tier allows in a minute'],
  [503, 'The service is not ready at the moment'],
])('while a read waits after %s, the page says why', async (status, words) => {
  const { page, close } = await open('owner')
  const error = { code: 'REFUSED', message: 'not now', details: {} }
  await page.route(/\/v1\/keys/, (route) =>
    route.fulfill({ status, headers: { 'retry-after': '60' }, json: { error } }),
  )
  await page.goto('/my/keys')
  await page.getByText(words).waitFor()
  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('heading', { name: 'Team' }).waitFor()
  await page.getByText(words).waitFor({ state: 'detached' })
  await close()
})

/** Keeps back the next answer about keys, which the service has given by then, unless it is a refusal. */
function holdNext(page: Page, method: string, refusal?: { status: number; json: object }) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const answered = new Promise<void>((resolve) => {
    let isHeld = false
    const hold = async (route: Route) => {
      if (isHeld || route.request().method() !== method) {
        return route.fallback()
      }
      isHeld = true
      const answer = refusal ?? { response: await route.fetch() }
      resolve()
      await released
      // The page may have given up the request.
      await route.fulfill(answer).catch(() => {})
    }
    void page.route(/\/v1\/keys\b/, hold)
  })
  return { answered, release }
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(demo.owner.email)
  await page.getByLabel('Password').fill(demo.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function create(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create a key' }).click()
  await copySecret(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
}
