import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startHost } from '../support/host.ts'
import { send } from '../support/http.ts'
import { CHALLENGE_PATH, newClaim } from '../support/identifiers.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'
import { DIRECTORY, newSigningAgent } from '../support/web-bot-auth.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })

/** Never answers; the test ends the connections with its host. */
function hang(): void {}

/** Starts so many requests, and aborts those that are still open when the test is done. */
function startMany(count: number, url: string, init: RequestInit): Promise<number | null>[] {
  const aborted = new AbortController()
  onTestFinished(() => aborted.abort())
  return Array.from({ length: count }, () =>
    fetch(url, { ...init, signal: aborted.signal }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => null,
    ),
  )
}

test('scores are read while two hundred requests at the gate wait for the key directory of a slow host', async () => {
  const { host } = await newSigningAgent(at)
  host.put(DIRECTORY, hang)
  const gated = await Promise.all(
    [await newPlatform(at), await newPlatform(at)].map(async ({ platform }) =>
      startMany(100, `${at.url}/v1/gate`, {
        headers: { 'x-api-key': platform.apiKey, 'signature-agent': `"${host.origin}"` },
      }),
    ),
  )
  const { agent } = await newAgent(at)
  await eventually(() => expect(host.requests).toContain(DIRECTORY))
  const refused = Promise.any(gated.flat().map(async (status) => expect(await status).toBe(503)))
  await refused
  const { status } = await send(`${at.url}/v1/agents/${agent.id}/score`)
  expect(status).toBe(200)
})

test('a name is proven while another account has a hundred and twenty proofs checked at a slow host', async () => {
  const slow = await startHost()
  slow.put(CHALLENGE_PATH, hang)
  const { agent, owner, identifier } = await newClaim(at, 'domain', slow.host)
  const path = `/v1/agents/${agent.id}/identifiers/${identifier.id}/verify`
  startMany(120, at.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
  })
  await eventually(() => expect(slow.requests).toContain(CHALLENGE_PATH))
  const host = await startHost()
  const { challenge, verify } = await newClaim(at, 'domain', host.host)
  host.put(CHALLENGE_PATH, challenge)
  expect(await verify()).toMatchObject({ status: 'verified' })
})
