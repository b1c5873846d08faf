import { request } from 'undici'
import { isJsonObject } from '../lib/json-object.ts'
import { readBytes } from '../outbound/read-bytes.ts'
import { type Problem, problemOf, type Reading } from './kind.ts'

/** The first bytes of the hash of `ownerOf(uint256)` (ERC-721). */
const OWNER_OF = '0x6352211e'

/** A node of a chain answers in some hundred milliseconds. */
const TIMEOUT_MS = 8_000

/** An address is 32 bytes in hex; an error has a sentence. */
const ANSWER_BYTES_MAX = 10_000

/** The account that owns an agent's token now, by the endpoint that the operator trusts for the chain. */
export async function ownerOnChain(
  { chainRpc }: Pick<Reading, 'chainRpc'>,
  value: string,
): Promise<string | Problem> {
  const [namespace, chain, registry, agentId = '0'] = value.split(':')
  const url = chainRpc.get(`${namespace}:${chain}`)
  if (url === undefined) {
    return problemOf('not_provable', `this service cannot read the chain ${namespace}:${chain}`)
  }
  const data = OWNER_OF + BigInt(agentId).toString(16).padStart(64, '0')
  const answer = await call(url, { to: registry, data })
  if (answer === null) {
    return problemOf('unreachable', `the endpoint for ${namespace}:${chain} gave no result`)
  }
  const [, address] = /^0x0{24}([0-9a-f]{40})$/i.exec(answer) ?? []
  return address === undefined || /^0+$/.test(address)
    ? problemOf('not_found', `the registry ${registry} has no agent ${agentId}`)
    : `0x${address.toLowerCase()}`
}

/** The result of a call; empty for one that the contract refused, null where there is none. */
async function call(url: string, transaction: object): Promise<string | null> {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [transaction, 'latest'] }
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const bytes = await readBytes(response.body, ANSWER_BYTES_MAX)
    const answer: unknown = JSON.parse(String(bytes))
    if (!isJsonObject(answer)) {
      return null
    }
    const { result, error } = answer
    if (typeof result === 'string') {
      return result
    }
    return isRevert(error) ? '' : null
  } catch {
    return null
  }
}

/**
 * Whether the contract itself refused a call, as it does for a token that does not exist. Any other error
 * is one of the endpoint, such as a limit on requests, and says nothing about the token.
 */
function isRevert(error: unknown): boolean {
  return isJsonObject(error) && (error.code === REVERTED || /revert/i.test(String(error.message)))
}

/** The code of geth; other nodes name it in their message alone. */
const REVERTED = 3
