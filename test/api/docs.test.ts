import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { LOG_TYPES, REPORTED_TYPES } from '../../src/domain/event.ts'
import { STATUS } from '../../src/http/errors.ts'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { document } from '../support/conformance.ts'
import { startService } from '../support/service.ts'

// More pages than a minute allows are read here.
const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const base = 'https://trust.example/trust'
const port = await freePort()
await at.node({ STANDING_BASE_URL: base, PORT: String(port) })
const below = `http://127.0.0.1:${port}`

const FILES = (await readdir('docs')).filter((name) => name.endsWith('.md'))
const GUIDES = ['start', ...FILES.map((name) => name.replace(/\.md$/, ''))]

async function read(url: string): Promise<string> {
  const response = await fetch(url)
  expect([url, response.status]).toEqual([url, 200])
  return response.text()
}

test('every guide is a page, and Markdown at the same address', async () => {
  expect(GUIDES.length).toBeGreaterThan(15)
  const overview = await read(`${at.url}/docs`)
  for (const name of GUIDES) {
    expect(overview).toContain(`href="/docs/${name}"`)
    const html = await read(`${at.url}/docs/${name}`)
    expect([name, /<h1 id="[^"]+">/.test(html)]).toEqual([name, true])
    expect(html).toContain(`<a href="/docs/${name}" aria-current="page">`)
    const response = await fetch(`${at.url}/docs/${name}.md`)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  }
  const file = await readFile('docs/webhooks.md', 'utf8')
  expect((await read(`${at.url}/docs/webhooks.md`)).length).toBeGreaterThan(file.length / 2)
})

test('the commands of a guide use the address of this service', async () => {
  expect(await read(`${at.url}/docs/start`)).toContain(`URL=${at.url}`)
  expect(await read(`${at.url}/docs/start.md`)).toContain(`URL=${at.url}`)
  expect(await read(`${below}/docs/start.md`)).toContain(`URL=${base}`)
})

test('llms.txt links to every guide as Markdown', async () => {
  const text = await read(`${at.url}/llms.txt`)
  expect(text).toMatch(/^# Standing\n\n> /)
  for (const name of GUIDES) {
    expect(text).toContain(`(${at.url}/docs/${name}.md)`)
  }
  expect(await read(`${below}/llms.txt`)).toContain(`(${base}/docs/start.md)`)
})

test('every operation is listed by method and path, and described with a command', async () => {
  const overview = await read(`${at.url}/docs`)
  const pages = new Map<string, string>()
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { operationId, tags } = operation as typeof operation & { tags: readonly string[] }
      const page = `/docs/reference/${tags[0]?.toLowerCase()}`
      expect(overview).toContain(
        `<a href="${page}#${operationId}"><span class="method">${method}</span> <code>${path}</code></a>`,
      )
      const html = pages.get(page) ?? (await read(`${at.url}${page}`))
      pages.set(page, html)
      expect(html).toContain(`<article id="${operationId}">`)
    }
  }
  for (const html of pages.values()) {
    expect(html).not.toMatch(/undefined|\[object|NaN/)
  }
  const auth = await read(`${below}/docs/reference/auth`)
  expect(auth).toContain(`curl -s ${base}/v1/auth/register`)
})

test('the overview says how many event types can be reported', async () => {
  const overview = await read(`${at.url}/docs`)
  expect(overview).toContain(`${REPORTED_TYPES.length} <a href="/docs/event-types">event types</a>`)
})

test('each event type has its fields and an example under its name, and is found by it', async () => {
  const html = await read(`${at.url}/docs/event-types`)
  for (const type of Object.keys(LOG_TYPES)) {
    expect(html).toContain(`<article id="${type}">`)
    expect(html).toContain(`<a href="#${type}">`)
    // A notification may have the same name.
    const found = await read(`${at.url}/docs/search?q=${type}`)
    expect(found).toContain(`<li><a href="/docs/event-types#${type}">${type}</a>`)
  }
})

test('the search finds paths, event types, errors, notifications, settings and sections', async () => {
  const first = async (query: string) => {
    const html = await read(`${at.url}/docs/search?q=${encodeURIComponent(query)}`)
    return /<ol class="results"><li><a href="([^"]+)">/.exec(html)?.[1]
  }
  expect(await first('payment.disputed')).toBe('/docs/event-types#payment.disputed')
  expect(await first('score.changed')).toBe('/docs/reference/webhooks#score.changed')
  expect(await first('GET /v1/lookup')).toBe('/docs/reference/identifiers#lookUp')
  expect(await first('idempotency_key_reused')).toBe('/docs/errors/IDEMPOTENCY_KEY_REUSED')
  expect(await first('STANDING_TRUST_PROXY')).toMatch(/^\/docs\/\w+#/)
  expect(await first('explainScore')).toBe('/docs/reference/scores#explainScore')
  expect(await first('retry schedule nothing-like-this')).toBeUndefined()
  expect(await first('')).toBeUndefined()
})

test('a search term is shown as text, however it is written', async () => {
  const html = await read(`${at.url}/docs/search?q=${encodeURIComponent('"><b>x</b>')}`)
  expect(html).not.toContain('<b>x')
  await read(`${at.url}/docs/search?q=${'a'.repeat(8000)}`)
  await read(`${at.url}/docs/search?q=%ff%00`)
})

test('every link of the documentation leads to an existing page and anchor', async () => {
  const pages = new Map<string, string>()
  const open = async (path: string) => {
    const before = pages.get(path)
    const html = before ?? (await read(below + path))
    pages.set(path, html)
    return html
  }
  const starts = [
    '/trust/docs',
    '/trust/docs/event-types',
    '/trust/docs/errors',
    ...Object.keys(STATUS).map((code) => `/trust/docs/errors/${code}`),
    ...GUIDES.map((name) => `/trust/docs/${name}`),
    ...new Set(
      [...(await open('/trust/docs')).matchAll(/href="([^"#]*reference[^"#]*)"/g)].map(
        ([, to]) => to ?? '',
      ),
    ),
  ]
  let checked = 0
  for (const start of starts) {
    const html = await open(start)
    for (const [, to = ''] of html.matchAll(/(?:href|src|action)="([^"]*)"/g)) {
      if (/^https?:/.test(to)) {
        continue
      }
      const [path = '', id] = to.split('#')
      expect([start, to]).toEqual([start, expect.stringMatching(/^(\/trust\/|#)/)])
      const target = path === '' ? html : await open(path)
      if (id !== undefined) {
        expect([start, to, target.includes(`id="${id}"`)]).toEqual([start, to, true])
      }
      checked += 1
    }
  }
  expect(checked).toBeGreaterThan(1000)
})

test('an unknown address shows a page that says so', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/nothing.md',
    '/docs/reference/nothing',
    '/docs/img/x.svg',
  ]) {
    const response = await fetch(at.url + path, { headers: { accept: 'text/html' } })
    expect([path, response.status]).toEqual([path, 404])
    expect(await response.text()).toContain('<h1>Page not found</h1>')
  }
  for (const path of ['/docs/..%2Fpackage.json', '/docs/img/..%2Fscoring.md', '/docs/__proto__']) {
    expect([path, (await fetch(at.url + path)).status]).toEqual([path, 404])
  }
})
