import { expect, inject, test } from 'vitest'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const { open } = setUpPeople()

const HOUR_MS = 3_600_000

const LANGUAGES = [
  {
    locale: 'en-GB',
    one: ['1 event by platforms, 1 by itself', '1 point to Good', '1 point before it is'],
    aDayAgo: '1 day ago',
    inADay: 'in 1 day',
  },
  {
    locale: 'de-DE',
    one: ['1 Ereignis von Plattformen, 1 von', '1 Punkt bis Gut', '1 Punkt, bis er'],
    aDayAgo: 'vor 1 Tag',
    inADay: 'in 1 Tag',
  },
]

test.each(LANGUAGES)('one event and one point are singular ($locale)', async ({ locale, one }) => {
  const { page, close } = await open('owner', { locale })
  await page.route(/\/score$/, async (route) => {
    const response = await route.fetch()
    const { evidence, ...score } = await response.json()
    const one = { ...evidence, platformReported: 1, selfReported: 1 }
    return route.fulfill({ response, json: { ...score, evidence: one } })
  })
  await page.route(/\/score\/explanation/, async (route) => {
    const response = await route.fetch()
    const { nextTier, errorBudget, ...rest } = await response.json()
    nextTier.pointsMissing = 1
    errorBudget.pointsLeft = 1
    return route.fulfill({ response, json: { ...rest, nextTier, errorBudget } })
  })
  await page.goto(`/my/agents/${demo.agents['Beacon Research']}`)
  for (const words of one) {
    await page.getByText(words).waitFor()
  }
  await close()
})

test.each(LANGUAGES)(
  '47 hours are one day, which need not be yesterday or tomorrow ($locale)',
  async ({ locale, aDayAgo, inADay }) => {
    const { page, close } = await open('owner', { locale })
    await page.route(/\/v1\/keys\b/, async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
      const changed = { ...data[0], lastUsedAt: at(-47), expiresAt: at(47) }
      return route.fulfill({ response, json: { data: [changed], ...rest } })
    })
    await page.goto('/my/keys')
    await page.getByText(aDayAgo, { exact: true }).waitFor()
    expect(await page.getByText(inADay, { exact: true }).count()).toBe(1)
    await close()
  },
)
