import type { Route } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { axe, shoot } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const { open } = setUpPeople()

const FAILED = {
  status: 500,
  body: JSON.stringify({
    error: { code: 'INTERNAL_ERROR', message: 'the service failed', details: {} },
  }),
}

test('older data that cannot be read again is shown with the reason, until it can', async () => {
  const { page, close } = await open('owner')
  await page.goto(`/my/agents/${demo.agents['Beacon Research']}/events`)
  await page
    .getByRole('button', { name: /Task completed/ })
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Credentials' }).click()
  await page.route(/\/events\?/, (route) => route.fulfill(FAILED))
  await page.getByRole('link', { name: 'Events', exact: true }).click()
  await page.getByText('This is not up to date: the service failed').waitFor()
  await page
    .getByRole('button', { name: /Task completed/ })
    .first()
    .waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'outdated')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This is not up to date').waitFor({ state: 'detached' })
  await close()
})

test('a list of agents whose next page fails says so, and goes on when it is tried again', async () => {
  const { page, close } = await open('owner')
  let isBroken = true
  /** The list as it is, and once more as a second page. */
  const answer = async (route: Route) => {
    const isSecond = route.request().url().includes('cursor=')
    if (isSecond && isBroken) {
      return route.fulfill(FAILED)
    }
    const response = await route.fetch({ url: route.request().url().replace('cursor=second&', '') })
    const { data } = await response.json()
    return route.fulfill({ json: { data, nextCursor: isSecond ? null : 'second' } })
  }
  await page.route(/\/v1\/agents\?/, answer)
  await page.goto('/my/agents')
  await page.getByText('This is not up to date: the service failed').waitFor()
  await page.getByText('more are loading').waitFor()
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('more are loading').waitFor({ state: 'detached' })
  await close()
})
