import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import type { Role } from '../../src/api/types.ts'
import type { Kind, Session } from '../../src/session/session.ts'
import { type Caller, callAs } from '../demo/caller.ts'
import { openPage, signInAs, type Watched } from './browser.ts'
import { openBrowser } from './chromium.ts'
import type { Demo } from './setup.ts'

export interface People {
  readonly browser: Browser
  readonly sessions: Readonly<Record<Kind, Session>>
  /** A page of the demo, with somebody signed in or nobody. */
  open(kind: Kind | null, options?: Parameters<typeof openPage>[2]): Promise<Watched>
}

/** A browser, and the people of the demo, for one file of tests. */
export function setUpPeople(): People {
  const demo = inject('demo')
  let browser: Browser | undefined
  let sessions: Readonly<Record<Kind, Session>> | undefined
  beforeAll(async () => {
    browser = await openBrowser()
    sessions = await sessionsOf(demo)
  })
  afterAll(() => browser?.close())
  const people = {
    get browser() {
      return opened(browser)
    },
    get sessions() {
      return opened(sessions)
    },
    async open(kind: Kind | null, options: Parameters<typeof openPage>[2] = {}) {
      const watched = await openPage(people.browser, demo.url, options)
      if (kind) {
        await signInAs(watched.page, people.sessions[kind])
      }
      return watched
    },
  }
  return people
}

function opened<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('the browser opens before the first test')
  }
  return value
}

/** The session of the answer to a sign-in or a registration, as the tab stores it. */
export async function sessionOf(
  { url }: Demo,
  { token, ...known }: Readonly<Record<string, unknown>>,
): Promise<Session> {
  const { member, permissions } = await callAs(url, String(token)).get('/v1/auth/me')
  return { kind: 'owner', credential: token, ...known, member, permissions } as Session
}

/** Somebody whom an admin invites into the account, signed in. */
export async function joinWithRole(demo: Demo, admin: Caller, role: Role): Promise<Session> {
  const email = `${role}-${Date.now()}@example.com`
  const { link } = await admin.post('/v1/invitations', { email, role })
  const invitation = new URL(String(link)).searchParams.get('token')
  const body = { email, password: demo.owner.password, name: 'Grace Hopper', invitation }
  return sessionOf(demo, await callAs(demo.url, null).post('/v1/auth/register', body))
}

/** Sessions of the demo's people, as signing in leaves them in the tab. */
async function sessionsOf(demo: Demo): Promise<Readonly<Record<Kind, Session>>> {
  const { email, password } = demo.owner
  const anyone = callAs(demo.url, null)
  return {
    owner: await sessionOf(demo, await anyone.post('/v1/auth/login', { email, password })),
    operator: { kind: 'operator', credential: demo.operatorKey },
    platform: { kind: 'platform', credential: demo.platformKey },
  }
}
