import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { ROLES, type Role } from '../../src/api/types.ts'
import type { Session } from '../../src/session/session.ts'
import { callAs } from '../demo/caller.ts'
import { axe, expectNothingWrong, shoot, signInAs } from './browser.ts'
import { joinWithRole, sessionOf, setUpPeople } from './people.ts'

const demo = inject('demo')
const people = setUpPeople()

const FROM_MEMBER: readonly Role[] = ['admin', 'member']
const ADMIN: readonly Role[] = ['admin']

/** The name of everything that changes something, by its page, and the roles that may. */
const CHANGES: readonly (readonly [
  page: string,
  roles: readonly Role[],
  names: readonly string[],
])[] = [
  ['/my/agents', FROM_MEMBER, ['Register an agent']],
  ['AGENT/quarantined', FROM_MEMBER, ['Appeal']],
  ['AGENT/credentials', FROM_MEMBER, ['Issue a credential', 'Certify the score', 'Revoke']],
  [
    'AGENT/identifiers',
    FROM_MEMBER,
    ['Claim an identifier', 'Prove hazel.example.com', 'Remove hazel.example.com'],
  ],
  [
    'AGENT/settings',
    FROM_MEMBER,
    ['Save', 'Create a new key', 'Replace the agent', 'Deactivate the agent'],
  ],
  ['AGENT/settings', ADMIN, ['Withdraw']],
  ['OTHER_AGENT/settings', ADMIN, ['Offer the agent']],
  [
    '/my/transfers',
    ADMIN,
    ['Accept Juniper Index', 'Decline Juniper Index', 'Withdraw Hazel Courier'],
  ],
  ['/my/webhooks', FROM_MEMBER, ['Add a webhook']],
  [
    'WEBHOOK',
    FROM_MEMBER,
    [
      'Send a test',
      'Edit',
      'New secret',
      'Send failed ones again',
      'Disable',
      'Delete',
      'Send again',
    ],
  ],
  ['/my/team', ADMIN, ['Invite a person', 'Remove MEMBER', 'Withdraw guest@example.com']],
  ['/my/keys', ADMIN, ['Create a key', 'Revoke night shift']],
  ['/my/test', FROM_MEMBER, ['Make a test key', 'Delete all test data']],
  ['/account', ROLES, ['Change password']],
]

/** What only shows, finds or copies, and what is of the person alone. */
const HARMLESS = [
  /^Copy/,
  /^Raw JSON and curl$/,
  /^(Search agents|Tier|Status|Order|Type|Follow live)$/,
  /^(30 days|90 days|1 year|All|Waiting|Delivered|Failed)$/,
  // The sliders and filters of what would change a score, and of what explains it.
  /^(Event type|Dimension|Reporter|Kind of event|How many more: .*)$/,
  // Rows that open.
  /^(good|bad): /,
  /^(Score changed|Event |Quarantined event reviewed|Agent’s status|Credential issued|Test)/,
  /^(Verify|Actions|Show a QR code)$/,
  /^(Switch to test mode|Theme|Language)$/,
  /^(Current password|New password|Change password|End .*|Send the confirmation mail again)$/,
]

interface Account {
  readonly sessions: Readonly<Record<Role, Session>>
  /** The names in the table above, as they are here. */
  readonly places: Readonly<Record<string, string>>
}

let account: Account

/** An account with something of everything, and a person of each role. */
beforeAll(async () => {
  const anyone = callAs(demo.url, null)
  const email = `roles-${Date.now()}@example.com`
  const { password } = demo.owner
  const opened = await anyone.post('/v1/auth/register', { email, password, name: 'Roles Ltd' })
  const owner = callAs(demo.url, String(opened.token))
  const [agent, other] = await Promise.all(
    ['Hazel Courier', 'Iris Archive'].map((displayName) =>
      owner.post('/v1/agents', { displayName }),
    ),
  )
  const id = String(agent?.id)
  await owner.post('/v1/credentials', { agentId: id, type: 'SecurityAudit', claims: {} })
  const domain = { type: 'domain', value: 'hazel.example.com' }
  await owner.post(`/v1/agents/${id}/identifiers`, domain)
  await owner.post('/v1/keys', { name: 'night shift', scopes: ['read'] })
  await owner.post('/v1/invitations', { email: 'guest@example.com', role: 'viewer' })
  const webhook = await owner.post('/v1/webhooks', {
    url: 'http://127.0.0.1:9999/hook',
    events: ['*'],
  })
  await owner.post(`/v1/webhooks/${webhook.id}/test`, undefined)
  await owner.post(`/v1/agents/${id}/transfers`, { toOwnerEmail: demo.owner.email })
  await offerTo(email)
  await upholdEventOf(id)
  const join = (role: Role) => joinWithRole(demo, owner, role)
  const [member, viewer] = [await join('member'), await join('viewer')]
  account = {
    sessions: { admin: await sessionOf(demo, opened), member, viewer },
    places: {
      OTHER_AGENT: `/my/agents/${other?.id}`,
      AGENT: `/my/agents/${id}`,
      WEBHOOK: `/my/webhooks/${webhook.id}`,
      MEMBER: member.kind === 'owner' ? String(member.member?.email) : '',
    },
  }
})

/** Another account offers an agent. */
async function offerTo(email: string): Promise<void> {
  const stranger = { email: `stranger-${Date.now()}@example.com`, password: demo.owner.password }
  const { token } = await callAs(demo.url, null).post('/v1/auth/register', stranger)
  const caller = callAs(demo.url, String(token))
  const { id } = await caller.post('/v1/agents', { displayName: 'Juniper Index' })
  await caller.post(`/v1/agents/${id}/transfers`, { toOwnerEmail: email })
}

/** An event that contradicts itself, and that an operator found wrong: it can be appealed. */
async function upholdEventOf(agentId: string): Promise<void> {
  const event = { type: 'task.completed', data: { success: false } }
  const platform = callAs(demo.url, demo.platformKey)
  const { id } = await platform.post(`/v1/agents/${agentId}/events`, event)
  const decision = { decision: 'upheld', reason: 'It contradicts itself.' }
  await callAs(demo.url, demo.operatorKey).post(`/v1/operator/events/${id}/review`, decision)
}

function named(text: string): string {
  return Object.entries(account.places).reduce((all, [name, is]) => all.replace(name, is), text)
}

async function openAs(role: Role) {
  const watched = await people.open(null)
  await signInAs(watched.page, account.sessions[role])
  return watched
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(named(path))
  await page.locator('h1').first().waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  // A delivery has its button in its details.
  const delivery = page.locator('.delivery-table .row-toggle').first()
  if (await delivery.isVisible()) {
    await delivery.click()
    await page.getByText('Payload', { exact: true }).waitFor()
  }
}

/** The names of what can be pressed on the page, menus included. */
function pressable(page: Page): Promise<readonly string[]> {
  return page
    .locator('main :is(button, input, select, textarea):enabled:not([hidden])')
    .evaluateAll((all) =>
      all.map((one) => {
        const { labels } = one as HTMLInputElement
        const label = one.getAttribute('aria-label') ?? labels?.[0]?.textContent
        return (label || one.textContent || '').trim().replaceAll(/\s+/g, ' ')
      }),
    )
}

test.each(ROLES)('as %s, a page has what the role may change, and nothing else', async (role) => {
  const watched = await openAs(role)
  const { page } = watched
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) {
      refused.push(response.url())
    }
  })
  const others: string[] = []
  for (const path of [...new Set(CHANGES.map(([path]) => path)), 'AGENT', 'AGENT/events']) {
    await show(page, path)
    const found = await pressable(page)
    const changes = CHANGES.filter(([at]) => at === path)
    for (const [, roles, names] of changes) {
      const wanted = roles.includes(role) ? names : []
      expect([path, found.filter((name) => names.map(named).includes(name))]).toEqual([
        path,
        wanted.map(named),
      ])
    }
    const known = changes.flatMap(([, , names]) => names.map(named))
    others.push(...found.filter((name) => !known.includes(name)))
    const isTold = (await page.getByText('Your role is ').count()) > 0
    const lacks = changes.some(([, roles]) => !roles.includes(role))
    expect([path, isTold]).toEqual([path, lacks])
    expect(await axe(page, 'all but colours')).toEqual([])
    await shoot(page, `role-${role}-${path.replaceAll(/\W+/g, '-')}`)
  }
  if (role === 'viewer') {
    expect(others.filter((name) => !HARMLESS.some((one) => one.test(name)))).toEqual([])
  }
  expect(refused).toEqual([])
  expectNothingWrong(watched)
  await watched.close()
})

test('a viewer has no shortcut and no command for what the role may not do', async () => {
  const watched = await openAs('viewer')
  const { page } = watched
  await show(page, '/my/agents')
  await page.keyboard.press('c')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Register an agent')
  await page.getByText('Nothing matches.').waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('a member registers an agent, and the account page names the role', async () => {
  const watched = await openAs('member')
  const { page } = watched
  await show(page, '/my/agents')
  await page.getByRole('button', { name: 'Register an agent' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Laurel Parcel')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await dialog.getByText(/^avs_/).first().waitFor()
  await show(page, '/account')
  await page.getByText('Member: Manages agents, credentials and webhooks.').waitFor()
  await page.getByRole('banner').getByText('Grace Hopper').waitFor()
  expectNothingWrong(watched)
  await watched.close()
})

test('a role that an admin takes away while the page is open takes its buttons with it', async () => {
  const owner = callAs(demo.url, account.sessions.admin.credential)
  const session = await joinWithRole(demo, owner, 'member')
  const watched = await people.open(null)
  const { page } = watched
  await signInAs(page, session)
  await show(page, 'AGENT/identifiers')
  const claim = page.getByRole('button', { name: 'Claim an identifier' })
  await claim.click()
  const id = session.kind === 'owner' ? session.member?.id : ''
  await owner.patch(`/v1/members/${id}`, { role: 'viewer' })
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Identifier').fill('laurel.example.com')
  await dialog.getByRole('button', { name: 'Claim an identifier' }).click()
  await dialog.getByRole('alert').getByText('role member or admin').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Your role is Viewer.').waitFor()
  expect(await claim.count()).toBe(0)
  await watched.close()
})
