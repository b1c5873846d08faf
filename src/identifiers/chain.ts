import { request } from 'undici'
import { type Problem, problemOf, type Reading } from './kind.ts'

/** The first bytes of the hash of `ownerOf(uint256)` (ERC-721). */
const OWNER_OF = '0x6352211e'

/** A node of a chain answers in some hundred milliseconds. */
const TIMEOUT_MS = 8_000

/** An address is 32 bytes in hex; an error has a sentence. */
const ANSWER_CHARS_MAX = 10_000

/** The account that owns an agent's token now, by the endpoint that the operator trusts for the chain. */
export async function ownerOnChain(
  { chainRpc }: Pick<Reading, 'chainRpc'>,
  value: string,
): Promise<string | Problem> {
  const [namespace, chain, registry, agentId = '0'] = value.split(':')
  const url = chainRpc.get(`${namespace}:${chain}`)
  if (url === undefined) {
    return problemOf('not_provable', `this service reads no chain ${namespace}:${chain}`)
  }
  const data = OWNER_OF + BigInt(agentId).toString(16).padStart(64, '0')
  const answer = await call(url, { to: registry, data })
  if (answer === null) {
    return problemOf('unreachable', `the endpoint for ${namespace}:${chain} did not answer`)
  }
  const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(answer) ?? []
  return address === undefined || /^0+$/.test(address)
    ? problemOf('not_found', `the registry ${registry} has no agent ${agentId}`)
    : `0x${address.toLowerCase()}`
}

/** The result of a call; empty for one that the contract refused, null without an answer. */
async function call(url: string, transaction: object): Promise<string | null> {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [transaction, 'latest'] }
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.body.text()
    if (response.statusCode !== 200 || text.length > ANSWER_CHARS_MAX) {
      return null
    }
    const { result } = JSON.parse(text) as { readonly result?: unknown }
    return typeof result === 'string' ? result : ''
  } catch {
    return null
  }
}
