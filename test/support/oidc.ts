import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { atEnd } from './at-end.ts'

/** What the provider knows of the person who signs in next. */
export interface Person {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  /** How the provider says that it authenticated the person. */
  readonly acr?: string
  readonly amr?: readonly string[]
}

export interface OidcServer {
  readonly issuer: string
  /** Logs the next visitor in as this person; null refuses. */
  logsIn(person: Person | null): void
  /** Admits a client that comes back to this address. */
  admit(redirectUri: string): void
  /** How often its metadata were read. */
  metadataReads(): number
  /** Takes the provider away, and brings it back. */
  isAway(value: boolean): void
}

export const CLIENT = { id: 'standing', secret: 'a secret of the client, long enough' }

const ACR_VALUES = ['urn:example:password', 'urn:example:strong', 'urn:example:hardware']

/** A conforming provider on loopback, with PKCE required, that asks nobody anything. */
export async function startOidcServer(): Promise<OidcServer> {
  let person: Person | null = null
  let away = false
  let metadataReads = 0
  let handle: (req: IncomingMessage, res: ServerResponse) => unknown = () => {}
  const server = createServer((req, res) => {
    metadataReads += req.url?.startsWith('/.well-known/openid-configuration') ? 1 : 0
    return away ? req.socket.destroy() : handle(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => new Promise((closed) => server.close(closed)))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirectUris: string[] = []
  const people = new Map<string, Person>()

  function start() {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [...redirectUris],
        },
      ],
      pkce: { required: () => true },
      acrValues: ACR_VALUES,
      claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_ctx, sub) => ({
        accountId: sub,
        claims: async () => ({ ...people.get(sub), sub }),
      }),
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      cookies: { keys: ['a key for the cookies of the provider'] },
      ttl: { Session: 60, Interaction: 60, Grant: 60, IdToken: 60, AccessToken: 60 },
    })
    const callback = provider.callback()
    handle = (req, res) =>
      req.url?.startsWith('/interaction/') ? interact(provider, req, res) : callback(req, res)
  }

  async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse) {
    const { prompt, params, grantId, session } = await provider.interactionDetails(req, res)
    if (person === null) {
      return provider.interactionFinished(req, res, { error: 'access_denied' })
    }
    if (prompt.name === 'login') {
      people.set(person.sub, person)
      const { sub: accountId, acr, amr } = person
      const login = { accountId, ...(acr && { acr }), ...(amr && { amr: [...amr] }) }
      return provider.interactionFinished(req, res, { login })
    }
    const grant = grantId
      ? await provider.Grant.find(grantId)
      : new provider.Grant({
          accountId: session?.accountId ?? '',
          clientId: String(params.client_id),
        })
    grant?.addOIDCScope(String(params.scope))
    const consent = { grantId: (await grant?.save()) ?? '' }
    return provider.interactionFinished(req, res, { consent }, { mergeWithLastSubmission: true })
  }

  start()
  return {
    issuer,
    logsIn: (next) => {
      person = next
    },
    admit(redirectUri) {
      redirectUris.push(redirectUri)
      start()
    },
    metadataReads: () => metadataReads,
    isAway: (value) => {
      away = value
    },
  }
}

/** A browser: follows redirects, keeps cookies by host, and runs no script. */
export function createBrowser() {
  const jars = new Map<string, Map<string, string>>()

  async function ask(url: URL, init: RequestInit = {}): Promise<Response> {
    const jar = jars.get(url.host) ?? new Map<string, string>()
    jars.set(url.host, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...init.headers, ...(cookie ? { cookie } : {}) }
    const response = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return response
  }

  return {
    ask,
    cookies: (host: string) => jars.get(host) ?? new Map<string, string>(),
    /** Where it ends up: at a page, or at an address with a fragment, which no server gets. */
    async visit(address: string): Promise<{ readonly url: URL; readonly response: Response }> {
      let url = new URL(address)
      for (let hops = 0; hops < 12; hops++) {
        const response = await ask(url)
        const location = response.headers.get('location')
        if (location === null) {
          return { url, response }
        }
        url = new URL(location, url)
        if (url.hash !== '') {
          return { url, response }
        }
      }
      throw new Error(`does not end: ${url}`)
    },
  }
}
