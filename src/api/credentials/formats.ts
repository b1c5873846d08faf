import { TOKEN_MEDIA_TYPE } from '../../credentials/token.ts'
import { preferred } from '../../http/negotiate.ts'
import { JSON_TYPE, type Response } from '../../http/response.ts'
import { credentialPage } from '../../pages/credential.ts'
import { HTML_TYPE, PAGE_HEADERS } from '../../pages/layout.ts'
import { PUBLIC_CACHE, tagged } from '../caching.ts'
import type { presentCredential } from './present.ts'

const FORMATS = ['application/json', 'text/html', TOKEN_MEDIA_TYPE] as const

/**
 * The credential in the format that the client prefers, each with a tag of its own. `basePath` is the
 * path of the base URL.
 */
export function credentialResponse(
  credential: ReturnType<typeof presentCredential>,
  accept: string | null,
  basePath: string,
): Response {
  const headers = { 'cache-control': PUBLIC_CACHE, vary: 'accept' }
  const format = preferred(accept, FORMATS)
  switch (format) {
    case 'text/html':
      return tagged(credentialPage(credential, basePath), HTML_TYPE, {
        ...PAGE_HEADERS,
        ...headers,
      })
    case TOKEN_MEDIA_TYPE:
      return tagged(credential.jwt, TOKEN_MEDIA_TYPE, headers)
    case 'application/json':
      return tagged(JSON.stringify(credential), JSON_TYPE, headers)
  }
}
