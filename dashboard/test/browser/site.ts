import { readFile, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

/** What the service will send with the dashboard: nothing but its own files, nothing inline. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Where index.html is the answer, whatever follows. */
const PAGES = /^\/(my|operator|platform|account)?(\/|$)/

export interface Site {
  readonly url: string
  close(): Promise<void>
}

export interface SiteOptions {
  /** The built dashboard. */
  readonly dist: string
  readonly serviceUrl: string
  /** `/trust` or nothing: where all of it is reached. */
  readonly base?: string
  readonly port?: number
}

/** The built dashboard and the service behind one address, as the service itself will have it. */
export async function openSite({
  dist,
  serviceUrl,
  base = '',
  port = 0,
}: SiteOptions): Promise<Site> {
  const server = createServer((req, res) => {
    void answer(req, res).catch((error: unknown) => res.destroy(error as Error))
  })
  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(req.url ?? '/', 'http://site')
    if (!pathname.startsWith(`${base}/`)) {
      return void res.writeHead(404).end()
    }
    const path = pathname.slice(base.length)
    const file = join(dist, path)
    if (PAGES.test(path)) {
      return page(res)
    }
    if (extname(path) !== '' && (await isFile(file))) {
      return send(res, file)
    }
    forward(req, res, path + search)
  }
  async function page(res: ServerResponse): Promise<void> {
    const html = await readFile(join(dist, 'index.html'), 'utf8')
    const based = html.replace('<base href="/">', `<base href="${base}/">`)
    res.writeHead(200, headers('.html', 'no-cache')).end(based)
  }
  async function send(res: ServerResponse, file: string): Promise<void> {
    const cache = file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    res.writeHead(200, headers(extname(file), cache)).end(await readFile(file))
  }
  function forward(req: IncomingMessage, res: ServerResponse, path: string): void {
    const target = new URL(path, serviceUrl)
    const options = { method: req.method, headers: req.headers }
    const out = request(target, options, (from) => {
      res.writeHead(from.statusCode ?? 502, from.headers)
      from.pipe(res)
    })
    out.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
    res.on('close', () => out.destroy())
    req.pipe(out)
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${actual}${base}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function headers(extension: string, cache: string) {
  return {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': cache,
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false
}
