import { extname } from 'node:path'
import { type AssetOptions, createAsset } from '../http/asset.ts'
import type { PageRoute } from '../http/endpoint.ts'

/** The built dashboard: the bytes of each file by its path, `index.html` among them. */
export type DashboardFiles = ReadonlyMap<string, Uint8Array>

/** Only its own files, nothing inline; it sends requests only to this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
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

/** Browsers revalidate the page each time, and mostly get 304. */
const INDEX_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
}

/** The names of these files change with their contents. */
const HASHED = /^assets\//
const HASHED_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' }

/**
 * The paths of the dashboard's own router (dashboard/src/paths.ts). It has none deeper:
 * it shows its own page for unknown ones.
 */
const CLIENT_PATHS = [
  '/',
  '/account',
  ...['/my', '/operator', '/platform'].flatMap((area) => [
    area,
    `${area}/{a}`,
    `${area}/{a}/{b}`,
    `${area}/{a}/{b}/{c}`,
  ]),
]

/** `index.html` at every address of the dashboard, and its other files at their paths. */
export function dashboardRoutes(files: DashboardFiles, basePath: string): readonly PageRoute[] {
  const index = () => withBase(files.get('index.html') ?? new Uint8Array(), basePath)
  const others = [...files].filter(([path]) => path !== 'index.html' && !path.endsWith(BROTLI))
  return [
    ...fileRoutes(CLIENT_PATHS, '.html', { content: index, headers: INDEX_HEADERS }),
    ...others.flatMap(([path, data]) =>
      fileRoutes([`/${path}`], extname(path), {
        content: () => data,
        headers: HASHED.test(path) ? HASHED_HEADERS : {},
        brotli: files.get(path + BROTLI),
      }),
    ),
  ]
}

/** What a file is called that the build compressed (dashboard/build.mjs). */
const BROTLI = '.br'

/** Not counted against a limit: one page is a dozen files, and they are in memory. */
function fileRoutes(
  paths: readonly string[],
  extension: string,
  options: Omit<AssetOptions, 'type'>,
): readonly PageRoute[] {
  const type = TYPES[extension] ?? 'application/octet-stream'
  const asset = createAsset({ ...options, type })
  return paths.map((path) => ({
    method: 'get',
    path,
    isUnmetered: true,
    handle: ({ request }) => asset.respond(request),
  }))
}

/** The page's links are relative to this: one build for every path. */
function withBase(index: Uint8Array, basePath: string): string {
  return Buffer.from(index).toString().replace('<base href="/">', `<base href="${basePath}/">`)
}
