import { describe, expect, test } from 'vitest'
import { STATUS } from '../../src/http/errors.ts'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { document } from '../support/conformance.ts'
import { newAgent, startService } from '../support/service.ts'

// More pages than a minute allows are read here.
const at = await startService({ STANDING_RATE_LIMITS: 'off' })

async function page(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(at.url + path, { headers })
  return { response, html: await response.text() }
}

/** What a browser sends when a person enters an address. */
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

/** Whatever would make a browser ask another machine, or run anything. */
/** The icon is the service's own; `og:image` is for other sites, which read it as text. */
const ICON = /<link rel="icon" href="(\/trust)?\/favicon\.svg" type="image\/svg\+xml">/

const LOADS =
  /<script|<link|<img|<iframe|<object|\ssrc=|\son\w+=|url\(|@import|href="(https?:)?\/\//i

/** Checks that a page is HTML that loads nothing and forbids loading by its policy. */
function expectStrictPage({ response, html }: Awaited<ReturnType<typeof page>>, status: number) {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(html.replace(ICON, '')).not.toMatch(LOADS)
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
  expect(policy).not.toContain('unsafe')
}

test.each([
  '/docs',
  '/docs/start',
  '/docs/event-types',
  '/docs/reference/agents',
  '/docs/search?q=score',
  '/docs/errors',
  '/docs/errors/NOT_FOUND',
])('%s is plain HTML that loads nothing, and forbids loading by its policy', async (path) => {
  expectStrictPage(await page(path), 200)
})

test('the set-up page and a credential’s page are as strict; only set-up can send a form', async () => {
  const setup = await page('/setup?token=unknown')
  expectStrictPage(setup, 410)
  expect(setup.response.headers.get('content-security-policy')).toContain("form-action 'self'")
  expect(setup.response.headers.get('cache-control')).toBe('no-store')
  const { agent, owner } = await newAgent(at)
  const claims = { grade: '<b>A</b>' }
  const { id } = await owner.client.credentials.issue({ agentId: agent.id, type: 'Audit', claims })
  const credential = await page(`/v1/credentials/${id}`, BROWSER)
  expectStrictPage(credential, 200)
  expect(credential.html).not.toContain('<b>A')
  const policy = credential.response.headers.get('content-security-policy')
  expect(policy).toContain("form-action 'none'")
})

test('a person who requests an unknown page gets a page, and a program gets JSON', async () => {
  for (const path of ['/nothing', '/docs/errors/NO_SUCH_CODE']) {
    const missing = await page(path, BROWSER)
    expectStrictPage(missing, 404)
    expect(missing.html).toContain('<h1>Page not found</h1>')
    expect(missing.html).toContain(missing.response.headers.get('x-request-id'))
    const { response, html } = await page(path)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(JSON.parse(html)).toMatchObject({ error: { code: 'NOT_FOUND' } })
  }
  const { response: api } = await page('/v1/nothing', BROWSER)
  expect(api.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const response = await fetch(`${at.url}/docs`, { method: 'PUT', headers: BROWSER })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
})

describe('a page that is the same for all clients', () => {
  const PAGES = ['/docs', '/docs/errors', '/docs/errors/CONFLICT', '/openapi.json']

  test('is 304 for a client that has it, whatever the encoding', async () => {
    for (const path of PAGES) {
      for (const encoding of ['identity', 'gzip', 'br']) {
        const { response } = await page(path, { 'accept-encoding': encoding })
        const etag = response.headers.get('etag') ?? ''
        expect(response.headers.get('cache-control')).toBe('public, max-age=300')
        expect(response.headers.get('vary')).toBe('accept-encoding')
        const headers = { 'accept-encoding': encoding, 'if-none-match': etag }
        const { response: again, html } = await page(path, headers)
        expect([path, encoding, again.status, html]).toEqual([path, encoding, 304, ''])
        expect(again.headers.get('etag')).toBe(etag)
        expect(again.headers.get('content-type')).toBeNull()
      }
    }
  })

  test('is compressed for a client that accepts it, and the same after decompression', async () => {
    for (const path of ['/docs', '/openapi.json']) {
      const plain = await page(path, { 'accept-encoding': 'identity' })
      expect(plain.response.headers.get('content-encoding')).toBeNull()
      const tags = new Set([plain.response.headers.get('etag')])
      for (const [accepted, encoding] of [
        ['gzip', 'gzip'],
        ['br', 'br'],
        ['gzip, deflate, br', 'br'],
        ['br;q=0, gzip', 'gzip'],
      ] as const) {
        const { response, html } = await page(path, { 'accept-encoding': accepted })
        expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, encoding])
        const length = Number(response.headers.get('content-length'))
        expect(length).toBeLessThan(plain.html.length / 4)
        expect(html).toBe(plain.html)
        tags.add(response.headers.get('etag'))
      }
      expect(tags.size, 'each form has a tag of its own').toBe(3)
    }
  })
})

describe('under a path, as with STANDING_BASE_URL=https://host/trust,', async () => {
  const base = 'https://trust.example/trust'
  const port = await freePort()
  await at.node({ STANDING_BASE_URL: base, PORT: String(port) })
  const url = `http://127.0.0.1:${port}`

  test('every link of every page begins with it, and leads to a page', async () => {
    const links = new Set<string>()
    for (const path of ['/docs', '/docs/errors', '/docs/errors/CONFLICT', '/nothing']) {
      const html = await (await fetch(url + path, { headers: BROWSER })).text()
      const found = [...html.matchAll(/(?:href|action)="([^"#][^"]*)"/g)].map(([, to]) => to ?? '')
      expect(found.length).toBeGreaterThan(3)
      for (const link of found) {
        expect(link).toMatch(/^\/trust\//)
        links.add(link)
      }
    }
    for (const link of links) {
      expect([link, (await fetch(url + link)).status]).toEqual([link, 200])
    }
    const { headers } = await fetch(`${url}/docs/`, { redirect: 'manual' })
    expect(headers.get('location')).toBe('/trust/docs')
    expect(await (await fetch(`${url}/docs`)).text()).toContain(`at <code>${base}</code>`)
  })

  test('an error links to the page about its code, and openapi.json names the path', async () => {
    const text = await (await fetch(`${url}/v1/agents`)).text()
    const { docUrl } = JSON.parse(text).error.details
    expect(docUrl).toBe('/trust/docs/errors/AUTHENTICATION_REQUIRED')
    expect((await fetch(url + docUrl)).status).toBe(200)
    const served = JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
    expect(served.servers).toMatchObject([{ url: '/trust' }])
  })

  test('the API and the pages are served whether or not the proxy strips the path', async () => {
    for (const path of ['/', '/docs', '/openapi.json', '/v1/scores/classifications', '/healthz']) {
      const [stripped, whole] = await Promise.all(
        [path, `/trust${path}`].map(async (one) => (await fetch(url + one)).text()),
      )
      expect(whole).toBe(stripped)
    }
    for (const path of ['/trusted', '/trusted/docs', '/trust/trust/docs', '/other/docs']) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404])
    }
  })
})

test('the icon that browsers request is empty, and cached for a day', async () => {
  const { response } = await page('/favicon.ico')
  expect(response.status).toBe(204)
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
})

test('every error code has a page, listed among the others', async () => {
  const { html: list } = await page('/docs/errors')
  for (const [code, status] of Object.entries(STATUS)) {
    expect(list).toContain(`href="/docs/errors/${code}"`)
    const { response, html } = await page(`/docs/errors/${code}`)
    expect(response.status).toBe(200)
    expect(html).toContain(`<h1>${code.replaceAll('_', '_<wbr>')}</h1>`)
    expect(html).toContain(`Status ${status}.`)
  }
})

test('an error links to the page about its code', async () => {
  const error = await at.anyone.agents.me().catch((thrown: unknown) => thrown)
  const docUrl = (error as { details: { docUrl: string } }).details.docUrl
  expect(docUrl).toBe('/docs/errors/AUTHENTICATION_REQUIRED')
  const { response } = await page(docUrl)
  expect(response.status).toBe(200)
})

test('openapi.json is served as committed', async () => {
  const response = await fetch(`${at.url}/openapi.json`)
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)))
})
