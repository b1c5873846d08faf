import { exportJWK, generateKeyPair } from 'jose'
import { signatureHeaders } from 'web-bot-auth'
import { signerFromJWK } from 'web-bot-auth/crypto'
import { startHost } from './host.ts'
import { CHALLENGE_PATH, newClaim } from './identifiers.ts'
import type { TestService } from './service.ts'

export const DIRECTORY = '/.well-known/http-message-signatures-directory'

/** An agent with a verified directory of keys, which signs requests with the package of that name. */
export async function newSigningAgent(at: TestService) {
  const host = await startHost()
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const signer = await signerFromJWK(
    (await exportJWK(privateKey)) as Parameters<typeof signerFromJWK>[0],
  )
  host.putJson(DIRECTORY, { keys: [await exportJWK(publicKey)] })
  const { agent, challenge, verify } = await newClaim(at, 'web_bot_auth', host.origin)
  host.put(CHALLENGE_PATH, challenge)
  await verify()
  return { agent, host, sign: (url: string, options = {}) => sign(url, options) }

  /** The headers that make a request of this URL the agent's own. */
  async function sign(
    url: string,
    options: { readonly method?: string; readonly lifeMs?: number; readonly origin?: string },
  ): Promise<Readonly<Record<string, string>>> {
    const { method = 'GET', lifeMs = 60_000, origin = host.origin } = options
    const agentHeader = { 'signature-agent': `"${origin}"` }
    const request = new Request(url, { method, headers: agentHeader })
    const now = Date.now()
    const signed = await signatureHeaders(request, signer, {
      created: new Date(now - 1_000 + Math.min(0, lifeMs)),
      expires: new Date(now + lifeMs),
    })
    return {
      ...agentHeader,
      signature: signed.Signature,
      'signature-input': signed['Signature-Input'],
    }
  }
}
