import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { digestOf } from '../lib/etag.ts'
import { once } from '../lib/once.ts'
import { preferredEncoding } from './negotiate.ts'
import type { Request } from './request.ts'
import type { Response, ResponseHeaders } from './response.ts'

/** Content that is the same for all clients until the process ends. */
export interface Asset {
  /** The response in an encoding that the client takes. */
  respond(request: Request): Promise<Response>
}

export interface AssetOptions {
  /** The media type. */
  readonly type: string
  readonly headers?: ResponseHeaders
  /** Called once, at the first request. */
  readonly content: () => string | Uint8Array
  /** The content as it was compressed with Brotli when it was built. */
  readonly brotli?: Uint8Array | undefined
}

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

/** A tenth smaller than gzip; the levels above 9 take ten times as long for a few per cent more. */
const BROTLI_QUALITY = 9

/** Below the size of a packet, compression saves nothing. */
const COMPRESSED_BYTES_MIN = 1_024

/** Makes the content, and each compressed form of it, once, at the first request. */
export function createAsset({ type, headers = {}, content, brotli }: AssetOptions): Asset {
  const original = once(() => {
    const data = Buffer.from(content())
    return { data, tag: digestOf(data) }
  })
  const encoders = {
    br: once(async () =>
      brotli
        ? Buffer.from(brotli)
        : toBrotli(original().data, {
            params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
          }),
    ),
    gzip: once(() => toGzip(original().data)),
  }
  return {
    async respond(request) {
      const { data, tag } = original()
      const accepted = preferredEncoding(request.headers.get('accept-encoding'))
      const encoding = data.length < COMPRESSED_BYTES_MIN ? null : accepted
      const common = { 'cache-control': CACHE, ...headers, vary: 'accept-encoding' }
      if (encoding === null) {
        return { status: 200, headers: { ...common, etag: `"${tag}"` }, content: { type, data } }
      }
      // Each form has a tag of its own: a strong tag means identical bytes.
      const etag = `"${tag}-${encoding}"`
      const compressed = { type, encoding, data: await encoders[encoding]() }
      return { status: 200, headers: { ...common, etag }, content: compressed }
    },
  }
}

/** Five minutes: a new version shows soon, and one visit needs one request. */
const CACHE = 'public, max-age=300'
