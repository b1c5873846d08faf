import { expect, inject, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { axe, copySecret, expectNothingWrong, shoot, signInAs, type Watched } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')

const people = setUpPeople()

const WAIT_MS = 20_000

/** A new account in a tab of its own, with an agent. */
async function openOwner(name: string, agentName?: string) {
  const email = `${name.toLowerCase()}-${Date.now()}@example.com`
  const body = { email, password: demo.owner.password, name }
  const { token, owner, expiresAt } = await callAs(demo.url, null).post('/v1/auth/register', body)
  const caller = callAs(demo.url, String(token))
  const agent = agentName ? await caller.post('/v1/agents', { displayName: agentName }) : {}
  const watched: Watched = await people.open(null)
  await signInAs(watched.page, { kind: 'owner', credential: token, owner, expiresAt })
  return {
    ...watched,
    watched,
    caller,
    email,
    agentId: String(agent.id),
    apiKey: String(agent.apiKey),
  }
}

async function statusOf({ caller }: Awaited<ReturnType<typeof openOwner>>): Promise<unknown> {
  const { data } = await caller.get('/v1/transfers')
  return (data as readonly { readonly status: string }[])[0]?.status
}

test('an agent is offered to another owner, who sees, declines and later accepts it', async () => {
  const seller = await openOwner('Katherine', 'Hidden Figures')
  const buyer = await openOwner('Dorothy')
  await seller.page.goto(`/my/agents/${seller.agentId}/settings`)
  const offer = async () => {
    await seller.page.getByRole('button', { name: 'Offer the agent' }).click()
    const dialog = seller.page.getByRole('dialog', { name: 'Offer Hidden Figures' })
    await dialog.getByLabel('E-mail or account ID').fill(buyer.email)
    expect(await axe(seller.page)).toEqual([])
    await shoot(seller.page, 'transfer-offer')
    await dialog.getByRole('button', { name: 'Offer the agent' }).click()
    await seller.page.getByText(`Offered to ${buyer.email}, until`).waitFor()
  }
  await offer()
  await buyer.page.goto('/my/agents')
  await buyer.page.getByText('Katherine offers you the agent Hidden Figures').waitFor()
  expect(await axe(buyer.page)).toEqual([])
  await shoot(buyer.page, 'transfer-received')
  await buyer.page.getByRole('link', { name: 'See the offer' }).click()
  await buyer.page.getByRole('button', { name: 'Decline Hidden Figures' }).click()
  await buyer.page.getByRole('cell', { name: 'Declined' }).waitFor()
  // Leaving the page sends what waits for its ten seconds.
  await buyer.page.reload()
  await expect.poll(() => statusOf(seller), { timeout: WAIT_MS }).toBe('declined')
  await seller.page.reload()
  await offer()
  // The page of the agent would follow it, which ends when it passes to the other owner.
  await seller.page.goto('/my/transfers')
  await buyer.page.reload()
  await buyer.page.getByRole('button', { name: 'Accept Hidden Figures' }).click()
  const dialog = buyer.page.getByRole('dialog', { name: 'Accept Hidden Figures' })
  await dialog.getByText('the score falls at first').waitFor()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  const key = await copySecret(buyer.page)
  const event = { type: 'task.completed', data: {} }
  expect(await callAs(demo.url, key).post('/v1/events', event)).toMatchObject({ weight: 0.1 })
  await expect(callAs(demo.url, seller.apiKey).post('/v1/events', event)).rejects.toThrow('401')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await buyer.page.getByRole('heading', { name: 'Hidden Figures' }).waitFor()
  await seller.page.reload()
  await seller.page.getByRole('cell', { name: 'Accepted' }).waitFor()
  for (const { watched } of [seller, buyer]) {
    expectNothingWrong(watched)
    await watched.close()
  }
})

test('an agent is registered to act for a parent, and their pages link to each other', async () => {
  const owner = await openOwner('Barbara', 'Travel Desk')
  const { page, watched } = owner
  await page.goto('/my/agents')
  await page.getByRole('button', { name: 'Register an agent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Register an agent' })
  await dialog.getByLabel('Name').fill('Flight Finder')
  await dialog.getByLabel('Acts for').selectOption({ label: 'Travel Desk' })
  await dialog.getByRole('button', { name: 'Register', exact: true }).click()
  await copySecret(page)
  await dialog.getByRole('link', { name: 'Open the agent' }).click()
  await page.getByText(/^Acts for/).waitFor()
  await page.getByRole('link', { name: 'Travel Desk' }).click()
  await page.getByText('Agents that act for it:').waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'agent-actors')
  await page.getByRole('link', { name: 'Flight Finder' }).click()
  await page.getByRole('heading', { name: 'Flight Finder' }).waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('an agent is replaced by a successor, and their pages link to each other', async () => {
  const owner = await openOwner('Hedy', 'Frequency Hopper')
  const { page, watched } = owner
  await page.goto(`/my/agents/${owner.agentId}/settings`)
  await page.getByRole('button', { name: 'Replace the agent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replace Frequency Hopper' })
  await dialog.getByLabel('Name').fill('Frequency Hopper 2')
  expect(await axe(page)).toEqual([])
  await shoot(page, 'successor')
  await dialog.getByRole('button', { name: 'Replace the agent' }).click()
  expect(await copySecret(page)).toMatch(/^avs_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'Frequency Hopper 2' }).waitFor()
  await page.getByRole('link', { name: 'Frequency Hopper', exact: true }).click()
  await page.getByText('This agent was deactivated').waitFor()
  await page.getByRole('link', { name: 'Frequency Hopper 2' }).click()
  await page.getByText('Carries the record of').waitFor()
  expect(await axe(page)).toEqual([])
  await shoot(page, 'agent-successor')
  expectNothingWrong(watched)
  await watched.close()
})
