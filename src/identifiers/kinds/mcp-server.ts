import { base64url } from '../../lib/base64url.ts'
import { SERVER_NAME } from '../canonical.ts'
import { jwkOfPoint, keyOfJwk, type PublicKey } from '../keys.ts'
import {
  fetchFrom,
  hostNameOf,
  hostOfUrl,
  isWebUrl,
  type Keys,
  type Kind,
  NO_KEYS,
  problemOf,
  type Reading,
  readJson,
} from '../kind.ts'

/** A server by its name in the MCP registry, or by the URL of its `server.json`. */
export const MCP_SERVER: Kind = {
  type: 'mcp_server',
  form: 'must be the name of an MCP server, such as com.example/weather, or the https URL of its server.json',
  isValue: (value) => isWebUrl(value) || SERVER_NAME.test(value),
  urlOf: (value) => (isWebUrl(value) ? value : `https://${hostOf(value)}/`),
  hostOf,
  signerIn: () => 'the key by which the namespace publishes to the MCP registry',
  read: async (reading, value) => (isWebUrl(value) ? readServer(reading, value) : NO_KEYS),
  moreKeys: registryKeys,
  isKeyPublished: () => true,
}

function hostOf(value: string): string {
  return isWebUrl(value) ? hostOfUrl(value) : hostOfName(value)
}

/** Namespaces are host names from behind: `com.example` of `example.com`. */
function hostOfName(name: string): string {
  return (name.split('/')[0] ?? '').split('.').reverse().join('.')
}

async function readServer(reading: Reading, url: string): Promise<Keys> {
  const read = await readJson(reading, url)
  if ('problem' in read) {
    return read
  }
  const { name, version } = read.json
  if (typeof name !== 'string' || !SERVER_NAME.test(name) || typeof version !== 'string') {
    return problemOf('malformed', `${url} is not a server.json: name and version are needed`)
  }
  const { hostname } = new URL(url)
  const owner = hostOfName(name.toLowerCase())
  return hostname === owner || hostname.endsWith(`.${owner}`)
    ? NO_KEYS
    : problemOf('wrong_subject', `${url} names the server ${name}, which belongs to ${owner}`)
}

/** What the registry itself accepts as proof of a namespace. */
const PATH = '/.well-known/mcp-registry-auth'

/** The keys of a namespace: at its well-known address, or in its TXT records. */
async function registryKeys(reading: Reading, value: string): Promise<Keys> {
  const host = hostOf(value)
  const [file, txt] = await Promise.all([
    fetchFrom(reading, host, PATH),
    reading.outbound.txt(hostNameOf(host)),
  ])
  const lines = 'document' in file ? file.document.text.split('\n') : []
  const keys = (
    await Promise.all([...lines, ...txt.records].slice(0, LINES_MAX).map(keyOfRecord))
  ).filter((key) => key !== null)
  if (keys.length > 0) {
    return { keys }
  }
  return 'problem' in file
    ? file
    : problemOf('key_not_found', `${host}${PATH} has no record v=MCPv1; k=ed25519; p=…`)
}

/** Far more keys than a namespace publishes; each costs a key to read. */
const LINES_MAX = 50

async function keyOfRecord(line: string): Promise<PublicKey | null> {
  const [, kind, text = ''] =
    /^\s*v=MCPv1;\s*k=(ed25519|ecdsap384);\s*p=([\w+/]+={0,2})\s*$/.exec(line) ?? []
  const bytes = Buffer.from(text, 'base64')
  if (kind === 'ed25519') {
    return keyOfJwk({ kty: 'OKP', crv: 'Ed25519', x: base64url(bytes) })
  }
  return kind === 'ecdsap384' ? keyOfJwk(jwkOfPoint(bytes, 'P-384')) : null
}
