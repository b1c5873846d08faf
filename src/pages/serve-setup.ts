import type { Hono } from 'hono'
import type { Setup } from '../auth/setup.ts'
import { PAGE_HEADERS } from '../http/page.ts'
import { askPage, gonePage, keyPage } from './setup.ts'

/** A form field, and no more. */
const FORM_BYTES_MAX = 1_024

export function serveSetup(app: Hono, setup: Setup, baseUrl: () => string): void {
  app.get('/setup', async (c) => {
    const token = c.req.query('token') ?? ''
    const state = await setup.stateOf(token)
    return state === 'open'
      ? c.body(askPage(token), 200, PAGE_HEADERS)
      : c.body(gonePage(state), 410, PAGE_HEADERS)
  })
  app.post('/setup', async (c) => {
    const length = Number(c.req.header('content-length') ?? Number.NaN)
    const form = length <= FORM_BYTES_MAX ? new URLSearchParams(await c.req.text()) : null
    const state = await setup.stateOf(form?.get('token') ?? '')
    // Two may press the button at once: one of them makes the key.
    const key = state === 'open' ? await setup.claim() : null
    return key === null
      ? c.body(gonePage(state === 'open' ? 'used' : state), 410, PAGE_HEADERS)
      : c.body(keyPage(key, baseUrl()), 201, PAGE_HEADERS)
  })
}
