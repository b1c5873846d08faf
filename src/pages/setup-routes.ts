import type { LinkState, Setup } from '../auth/setup.ts'
import type { PageRoute } from '../http/endpoint.ts'
import { readForm } from '../http/request.ts'
import type { Page } from './layout.ts'
import { get, pageResponse } from './respond.ts'
import { confirmPage, expiredLinkPage, keyPage } from './setup.ts'

export interface SetupRoutesOptions {
  readonly setup: Setup
  readonly baseUrl: () => string
  readonly basePath: string
}

/** The one-time link to the first operator key. No browser or proxy may store it. */
export function setupRoutes({
  setup,
  baseUrl,
  basePath,
}: SetupRoutesOptions): readonly PageRoute[] {
  const respond = (status: number, page: Page) => pageResponse(basePath, status, page)
  const expired = (state: Exclude<LinkState, 'open'>) => respond(410, expiredLinkPage(state))

  return [
    get('/setup', async ({ request }) => {
      const token = new URLSearchParams(request.search).get('token') ?? ''
      const state = await setup.stateOf(token)
      return state === 'open' ? respond(200, confirmPage(basePath, token)) : expired(state)
    }),
    {
      method: 'post',
      path: '/setup',
      async handle({ request }) {
        const form = await readForm(request)
        const state = await setup.stateOf(form.get('token') ?? '')
        if (state !== 'open') {
          return expired(state)
        }
        // Of several requests at once, one creates the key.
        const key = await setup.claim()
        return key === null ? expired('used') : respond(201, keyPage(basePath, key, baseUrl()))
      },
    },
  ]
}
