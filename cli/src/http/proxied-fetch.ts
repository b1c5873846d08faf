import { EnvHttpProxyAgent, fetch } from 'undici'
import { UserError } from '../../../src/lib/user-error.ts'
import type { Terminal } from '../command.ts'
import type { HttpFetch } from './fetch.ts'
import { proxiesOf } from './proxy.ts'

/** Through a proxy. Apart from the rest: to load the library takes as long as a command does. */
export function proxiedFetch(env: Terminal['env']): HttpFetch {
  const { http, https, except = '' } = proxiesOf(env)
  const dispatcher = new EnvHttpProxyAgent({
    // What is not named goes directly; '' keeps the library from reading the environment itself.
    httpProxy: proxyUrl('HTTP_PROXY', http),
    httpsProxy: proxyUrl('HTTPS_PROXY', https),
    noProxy: except,
    // Many proxies open a tunnel to the port of https only.
    proxyTunnel: false,
  })
  return async (url, request = {}) => {
    const duplex = 'half'
    const response = await fetch(url, { ...request, redirect: 'manual', dispatcher, duplex })
    return {
      ok: response.ok,
      status: response.status,
      headers: response.headers,
      body: response.body ?? EMPTY,
      text: () => response.text(),
    }
  }
}

function proxyUrl(name: string, url = ''): string {
  if (url === '' || (/^https?:/.test(url) && URL.canParse(url))) {
    return url
  }
  throw new UserError(`${name} ${url} is not an http or https address.`)
}

const EMPTY: AsyncIterable<Uint8Array> = {
  async *[Symbol.asyncIterator]() {
    // A response without a body has no pieces.
  },
}
