import { EventEmitter, on } from 'node:events'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { freePort } from '../../../src/lib/testing/free-port.ts'
import { callAs } from '../demo/caller.ts'
import { axe, expectNothingWrong, openPage, shoot, signInAs } from './browser.ts'
import { setUpPeople } from './people.ts'
import { startService } from './service.ts'

const demo = inject('demo')

const people = setUpPeople()

const { open } = people

test('a person signs in, finds an agent and opens it with the keyboard alone', async () => {
  const watched = await open(null)
  const { page } = watched
  await page.goto('/')
  await page.getByRole('button', { name: 'Owner' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(demo.owner.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(demo.owner.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await page.getByRole('link', { name: 'Atlas Invoicing' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Granite Backup')
  await page.keyboard.press('/')
  await page.keyboard.type('atlas')
  await page.getByRole('link', { name: 'Granite Backup' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('beacon')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Beacon Research' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expectNothingWrong(watched)
  await watched.close()
})

test('the first tab stop skips to the content', async () => {
  const watched = await open('owner')
  const { page } = watched
  await page.goto('/my/agents')
  await page.getByRole('heading', { name: 'Agents' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  await watched.close()
})

test('a tested policy that allows no deal has no mean loss of its deals', async () => {
  const watched = await open('platform')
  const { page } = watched
  await page.goto('/platform/policies')
  await page.getByRole('button', { name: 'Edit and test purchases' }).click()
  await page.getByLabel('Minimum score').fill('1000')
  await page.getByRole('button', { name: /^Test on the last/ }).click()
  await page.getByText(/Loss per allowed deal: –\. Without a policy: .*\d/).waitFor()
  await watched.close()
})

test('a list keeps its position and its filter when the person goes back', async () => {
  const watched = await open('owner', { viewport: { width: 375, height: 360 } })
  const { page } = watched
  await page.goto('/my/agents?sort=name')
  await page.getByRole('link', { name: 'Granite Backup' }).scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  expect(before).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Granite Backup' }).click()
  await page.getByRole('heading', { name: 'Granite Backup' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Granite Backup' }).waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
  expect(page.url()).toContain('sort=name')
  await watched.close()
})

test('the page shows a lost connection and recovers by itself', async () => {
  const { page, close } = await open('owner')
  await page.goto('/my/agents')
  await page.getByRole('link', { name: 'Atlas Invoicing' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('navigation', { name: 'Main' }).getByText('Usage').click()
  await page.getByText('No connection to the service').waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'offline')
  await page.context().setOffline(false)
  await page.getByText('6 of 10').first().waitFor()
  await page.getByText('No connection to the service').waitFor({ state: 'detached' })
  await close()
})

test('a failed read shows the reason and the request id, and can be tried again', async () => {
  const { page, close } = await open('owner')
  const requestId = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
  const details = { requestId }
  const error = { code: 'INTERNAL_ERROR', message: 'the service failed', details }
  await page.route(/\/v1\/webhooks(\?|$)/, (route) =>
    route.fulfill({ status: 500, body: JSON.stringify({ error }) }),
  )
  await page.goto('/my/webhooks')
  await page.getByText('the service failed').waitFor()
  await page.getByText(requestId).waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'error')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: /broken/ }).waitFor()
  await close()
})

test('a failed check of a credential shows the reason', async () => {
  const { page, close } = await open('owner')
  const error = { code: 'INTERNAL_ERROR', message: 'the service failed', details: {} }
  await page.route('**/v1/credentials/*/verify', (route) =>
    route.fulfill({ status: 500, body: JSON.stringify({ error }) }),
  )
  await page.goto(`/my/agents/${demo.agents['Atlas Invoicing']}/credentials`)
  await page.getByRole('button', { name: 'Verify' }).first().click()
  await page.getByText('the service failed').waitFor()
  await close()
})

test('a session that the service ended leads to the sign-in page, and then back', async () => {
  const { page, close } = await open(null)
  await page.addInitScript(
    (text) => {
      if (!sessionStorage.getItem('once')) {
        sessionStorage.setItem('standing.session', text)
      }
      sessionStorage.setItem('once', 'yes')
    },
    JSON.stringify({ ...people.sessions.owner, credential: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln' }),
  )
  await page.goto('/my/usage')
  await page.getByText('Your session has ended').waitFor()
  await page.getByLabel('E-mail').fill(demo.owner.email)
  await page.getByLabel('Password').fill(demo.owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
  await close()
})

test('the page of usage shows no limit that the installation does not apply', async () => {
  const { page, close } = await open('owner')
  await page.goto('/my/usage')
  for (const name of ['Requests in this minute', 'Lookups in a month', 'Events in an hour']) {
    const heading = page.getByRole('heading', { name })
    await page.locator('section').filter({ has: heading }).getByText('unlimited').waitFor()
  }
  await page.getByRole('meter', { name: 'Agents in use' }).waitFor()
  expect(await page.getByText('Each reporter has its own limit').count()).toBe(0)
  await close()
})

test('another owner’s agent is forbidden, and an unknown agent is not found', async () => {
  const { page, close } = await open(null)
  const email = `stranger-${Date.now()}@example.com`
  await page.goto(`/my/agents/${demo.agents['Atlas Invoicing']}`)
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(demo.owner.password)
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByText('You may not see this').waitFor()
  await page.goto('/my/agents/01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e')
  await page.getByText('There is nothing here').first().waitFor()
  await close()
})

test.each([
  ['owner', '/my', 'Agents'],
  ['operator', '/operator', 'Review desk'],
  ['platform', '/platform', 'Reports'],
] as const)('for the %s, %s opens the first page', async (kind, path, heading) => {
  const { page, close } = await open(kind)
  await page.goto(path)
  await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor()
  await close()
})

test('under a base path every link, reload and deep link works', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/trust`
  const service = await startService({ PORT: String(port), STANDING_BASE_URL: url })
  const body = { email: 'mary@example.com', password: demo.owner.password }
  const { token, owner, expiresAt } = await callAs(url, null).post('/v1/auth/register', body)
  const { id } = await callAs(url, String(token)).post('/v1/agents', { displayName: 'Quartz' })
  const watched = await openPage(people.browser, url)
  const { page } = watched
  await signInAs(page, { kind: 'owner', credential: token, owner, expiresAt })
  await page.goto(`${url}/my/agents/${id}/credentials`)
  await page.getByRole('heading', { name: 'Quartz' }).waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { name: 'Why' }).waitFor()
  await page.getByRole('link', { name: 'Standing' }).click()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/trust/my/agents')
  await page.reload()
  await page.getByRole('link', { name: 'Quartz' }).waitFor()
  expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe(
    '/trust/docs',
  )
  expectNothingWrong(watched)
  await watched.close()
  await service.close()
})

test('a browser set to German shows the page in German, with German numbers and dates', async () => {
  const watched = await open('owner', { locale: 'de-DE' })
  const { page } = watched
  await page.goto(`/my/agents/${demo.agents['Beacon Research']}`)
  await page.getByRole('heading', { name: 'Verlauf' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  await page
    .getByText(/wiegt (jetzt )?\d+(,\d)?\s%/)
    .first()
    .waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'agent-german')
  expectNothingWrong(watched)
  await watched.close()
})

test('a browser whose language has no formatter shows an agent with its history', async () => {
  const watched = await open('owner', { locale: 'en-US@posix' })
  const { page } = watched
  await page.goto(`/my/agents/${demo.agents['Beacon Research']}`)
  expect(await page.evaluate(() => navigator.languages[0])).toBe('en-US@posix')
  await page.getByRole('img', { name: /^Score from/ }).waitFor()
  await page.locator('.history-chart canvas').waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('the chosen theme stays for the next visit, with any system theme', async () => {
  const watched = await open('owner')
  const { page } = watched
  await page.goto('/account')
  await page.getByLabel('Theme').selectOption('dark')
  await page.reload()
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await scheme()).toBe('dark')
  await watched.close()
})

test('a range of the history that is selected with the pointer is enlarged', async () => {
  const watched = await open('operator')
  const { page } = watched
  await page.goto(`/operator/agents/${demo.agents['Beacon Research']}`)
  const chart = page.locator('.history-chart .u-over')
  const box = await chart.boundingBox()
  if (!box) {
    throw new Error('there is no chart')
  }
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.7, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.8, y, { steps: 4 })
  const read = page.waitForResponse((response) => response.url().includes('/score/history'))
  await page.mouse.up()
  expect((await read).ok()).toBe(true)
  await page.getByText('Drag over a part to see it larger').waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test.each([
  ['as it arrives', 'a stream', 200],
  ['where no stream can be had', 'polling', 429],
])('the list of events shows a new event %s, by %s', async (_when, _how, status) => {
  const owner = callAs(demo.url, people.sessions.owner.credential)
  const { id, apiKey } = await owner.post('/v1/agents', { displayName: `Watched ${status}` })
  const watched = await open('owner')
  const { page } = watched
  if (status !== 200) {
    const body = JSON.stringify({
      error: { code: 'RATE_LIMIT_EXCEEDED', message: '', details: {} },
    })
    await page.route('**/events/stream', (route) => route.fulfill({ status, body }))
  }
  const stream = page.waitForResponse((response) => response.url().endsWith('/events/stream'))
  await page.goto(`/my/agents/${id}/events`)
  expect((await stream).status()).toBe(status)
  await page.getByText('No event yet').waitFor()
  await callAs(demo.url, String(apiKey)).post('/v1/events', { type: 'task.completed', data: {} })
  await page.getByRole('button', { name: /Task completed/ }).waitFor()
  await owner.delete(`/v1/agents/${id}`, undefined)
  await watched.close()
})

test('an event that arrives before the newest one is known is shown in the list', async () => {
  const owner = callAs(demo.url, people.sessions.owner.credential)
  const { id, apiKey } = await owner.post('/v1/agents', { displayName: 'Watched from the start' })
  const watched = await open('owner')
  const { page } = watched
  let answerNewest = () => {}
  const mayAnswer = new Promise<void>((resolve) => {
    answerNewest = resolve
  })
  await page.route(/\/events\?limit=1$/, async (route) => {
    await mayAnswer
    await route.continue()
  })
  const messages = await messagesOfStreams(page)
  await page.goto(`/my/agents/${id}/events`)
  await page.getByText('No event yet').waitFor()
  await messages.next()
  await callAs(demo.url, String(apiKey)).post('/v1/events', { type: 'task.completed', data: {} })
  await messages.next()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  answerNewest()
  await page.getByRole('button', { name: /Task completed/ }).waitFor()
  await owner.delete(`/v1/agents/${id}`, undefined)
  await watched.close()
})

/** What arrives in the streams of a page: the first message of each is how soon it may be opened again. */
async function messagesOfStreams(page: Page): Promise<AsyncIterator<unknown>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const streams = new Set<string>()
  const arrived = new EventEmitter()
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('/events/stream')) {
      streams.add(requestId)
    }
  })
  session.on('Network.dataReceived', ({ requestId }) => {
    if (streams.has(requestId)) {
      arrived.emit('message')
    }
  })
  return on(arrived, 'message')
}

test('a slider, also by keyboard, shows the score after more failures', async () => {
  const watched = await open('owner')
  const { page } = watched
  const id = demo.agents['Beacon Research']
  await page.goto(`/my/agents/${id}`)
  const slider = page.getByRole('slider', { name: 'How many more: Task failed' })
  await slider.focus()
  await page.keyboard.press('End')
  expect(await slider.getAttribute('aria-valuetext')).toBe('1,000')
  const owner = callAs(demo.url, people.sessions.owner.credential)
  const { after } = await owner.get(`/v1/agents/${id}/score/explanation?more=task.failed:1000`)
  const [{ score } = { score: -1 }] = after as readonly { readonly score: number }[]
  await page
    .getByRole('status')
    .filter({ hasText: String(score) })
    .waitFor()
  expect(await axe(page)).toEqual([])
  expectNothingWrong(watched)
  await watched.close()
})

test.each([
  ['operator', '/operator/rules/contradictory_data'],
  ['operator', `/operator/agents/${demo.agents['Beacon Research']}/events`],
  ['owner', `/my/agents/${demo.agents['Beacon Research']}/events`],
] as const)('an %s reads the names of platforms on %s, each read once', async (who, path) => {
  const watched = await open(who)
  const { page } = watched
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/platforms/')) {
      asked.push(request.url())
    }
  })
  await page.goto(path)
  await page.getByText('Harbor Exchange').first().waitFor()
  await page
    .getByText(/^Platform …/)
    .first()
    .waitFor({ state: 'detached' })
  expect(asked).toEqual([...new Set(asked)])
  expectNothingWrong(watched)
  await watched.close()
})

test('the contributions to a score name the platforms behind them', async () => {
  const watched = await open('owner')
  const { page } = watched
  await page.goto(`/my/agents/${demo.agents['Beacon Research']}`)
  await page.getByRole('button', { name: 'Reporter', exact: true }).click()
  await page.getByRole('rowheader', { name: 'Harbor Exchange' }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('the review desk shows what a decision changes without scrolling', async () => {
  const watched = await open('operator', { viewport: { width: 1280, height: 800 } })
  const { page } = watched
  await page.goto('/operator/reviews')
  const effect = await page.getByRole('row', { name: 'If released' }).boundingBox()
  const bar = await page.getByRole('button', { name: 'Release' }).boundingBox()
  expect(effect && bar && effect.y + effect.height < bar.y).toBe(true)
  expectNothingWrong(watched)
  await watched.close()
})
