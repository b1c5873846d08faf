import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ABOUT } from '../../src/api/about.ts'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { landingPage } from '../../src/pages/landing.ts'
import { newOwner, startService } from '../support/service.ts'

const at = await startService()

async function get(path: string, headers: Readonly<Record<string, string>> = {}, base = at.url) {
  const response = await fetch(base + path, { headers })
  return { response, text: await response.text() }
}

/** What the page loads, relative to its `<base>`. */
function filesOf(html: string): readonly string[] {
  return [...html.matchAll(/(?:href|src)="([^"/][^"]*)"/g)].map(([, path]) => path ?? '')
}

test('the dashboard is at the root and at each of its addresses, for any Accept header', async () => {
  const { response, text } = await get('/')
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(text).toContain('<base href="/">')
  for (const path of ['/account', '/my', '/my/agents', '/operator/agents/x/events']) {
    for (const accept of ['text/html', 'application/json', '*/*']) {
      expect([path, (await get(path, { accept })).text]).toEqual([path, text])
    }
  }
})

test('the dashboard can run and load only its own files, and nothing inline', async () => {
  const { response, text } = await get('/')
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
  expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|<script>|(?:src|href)="(?:https?:)?\/\//)
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
})

describe('its files', () => {
  test('are named by their contents and cached permanently; the page is requested every time', async () => {
    const { response, text } = await get('/')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const again = await get('/', { 'if-none-match': response.headers.get('etag') ?? '' })
    expect([again.response.status, again.text]).toEqual([304, ''])
    const files = filesOf(text)
    expect(files.filter((path) => path.startsWith('assets/')).length).toBeGreaterThan(2)
    for (const path of files) {
      const { response: file } = await get(`/${path}`)
      const isHashed = /^assets\/[\w-]+-[A-Z0-9]{8}\.(js|css)$/.test(path)
      expect([path, file.status]).toEqual([path, 200])
      expect(file.headers.get('cache-control')).toBe(
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      )
      expect(file.headers.get('content-type')).toMatch(
        /^(text\/(javascript|css); charset=utf-8|image\/svg\+xml)$/,
      )
    }
  })

  test('are sent compressed to a client that accepts it', async () => {
    const [script = ''] = filesOf((await get('/')).text).filter((path) => path.endsWith('.js'))
    const style = filesOf((await get('/')).text).find((path) => path.endsWith('.css')) ?? ''
    for (const path of [script, style]) {
      const plain = await get(`/${path}`, { 'accept-encoding': 'identity' })
      const packed = await get(`/${path}`, { 'accept-encoding': 'br' })
      expect(digest(packed.text)).toBe(digest(plain.text))
    }
    const { response, text } = await get(`/${style}`, { 'accept-encoding': 'br' })
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(Number(response.headers.get('content-length'))).toBeLessThan(text.length / 3)
  })

  test('count against no limit, and dots in a path cannot leave their folder', async () => {
    const left = async () => (await get('/favicon.svg')).response.headers.get('ratelimit')
    const before = await left()
    expect(await left()).toBe(before)
    for (const path of ['/assets/', '/assets/none.js', '/assets/..%2findex.html', '/index.html']) {
      expect([path, (await get(path)).response.status]).toEqual([path, 404])
    }
  })
})

test('paths of the API that do not exist stay errors in JSON', async () => {
  const { client } = await newOwner(at)
  expect((await client.agents.list()).data).toEqual([])
  for (const path of ['/v1', '/v1/my/agents', '/v1/nothing']) {
    const { response, text } = await get(path, { accept: 'application/json' })
    expect([path, response.status]).toEqual([path, 404])
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'NOT_FOUND' } })
  }
})

test('under a base path its files are found, whether or not a proxy strips the path', async () => {
  const port = await freePort()
  await at.node({ STANDING_BASE_URL: 'https://trust.example/trust', PORT: String(port) })
  const base = `http://127.0.0.1:${port}`
  const pages = ['/trust', '/trust/', '/', '/trust/my/agents', '/my/agents']
  const texts = await Promise.all(pages.map(async (path) => (await get(path, {}, base)).text))
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).toContain('<base href="/trust/">')
  for (const path of filesOf(texts[0] ?? '')) {
    for (const prefix of ['/trust/', '/']) {
      const { response } = await get(prefix + path, {}, base)
      expect([prefix, path, response.status]).toEqual([prefix, path, 200])
    }
  }
})

test('a service without a built dashboard says so, and links to the reference', () => {
  const { body } = landingPage(ABOUT, '/trust', 'https://trust.example/trust')
  expect(body.html).toContain('<code>npm run build</code>')
  expect(body.html).toContain('href="/trust/docs"')
})

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
