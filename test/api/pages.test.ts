import { expect, test } from 'vitest'
import { STATUS } from '../../src/http/errors.ts'
import { document } from '../support/conformance.ts'
import { startService } from '../support/service.ts'

const at = await startService()

async function page(path: string) {
  const response = await fetch(at.url + path)
  return { response, html: await response.text() }
}

/** Whatever would make a browser ask another machine, or run anything. */
const LOADS =
  /<script|<link|<img|<iframe|<object|\ssrc=|\son\w+=|url\(|@import|href="(https?:)?\/\//i

test.each(['/', '/docs', '/docs/errors', '/docs/errors/NOT_FOUND'])(
  '%s is plain HTML that loads nothing, and forbids loading by its policy',
  async (path) => {
    const { response, html } = await page(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).not.toMatch(LOADS)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
    expect(policy).not.toContain('unsafe')
  },
)

test('the reference has every operation, with a command that names this service', async () => {
  const { html } = await page('/docs')
  for (const item of Object.values(document.paths)) {
    for (const { operationId } of Object.values(item)) {
      expect(html).toContain(`<article id="${operationId}">`)
      expect(html).toContain(`<a href="#${operationId}">`)
    }
  }
  expect(html).toContain(`curl -s ${at.url}/v1/auth/register`)
  expect(html).not.toMatch(/undefined|\[object|NaN/)
})

test('the icon that browsers ask for is none, and costs nobody a request', async () => {
  const { response } = await page('/favicon.ico')
  expect(response.status).toBe(204)
  expect([...response.headers.keys()].join()).not.toContain('ratelimit')
})

test('every error code has a page, listed among the others', async () => {
  const { html: list } = await page('/docs/errors')
  for (const [code, status] of Object.entries(STATUS)) {
    expect(list).toContain(`href="/docs/errors/${code}"`)
    const { response, html } = await page(`/docs/errors/${code}`)
    expect(response.status).toBe(200)
    expect(html).toContain(`<h1>${code}</h1>`)
    expect(html).toContain(`Status ${status}.`)
  }
})

test('an error leads to the page about its code', async () => {
  const error = await at.anyone.agents.me().catch((thrown: unknown) => thrown)
  const docUrl = (error as { details: { docUrl: string } }).details.docUrl
  expect(docUrl).toBe('/docs/errors/AUTHENTICATION_REQUIRED')
  const { response } = await page(docUrl)
  expect(response.status).toBe(200)
})

test('a page of a code that does not exist is an error like any other', async () => {
  const { response, html } = await page('/docs/errors/NO_SUCH_CODE')
  expect(response.status).toBe(404)
  expect(JSON.parse(html)).toMatchObject({ error: { code: 'NOT_FOUND' } })
})

test('openapi.json is served as it is committed', async () => {
  const response = await fetch(`${at.url}/openapi.json`)
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)))
})
