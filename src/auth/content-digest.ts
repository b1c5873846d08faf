import { createHash } from 'node:crypto'

/** The digests of RFC 9530 that are safe to rely on, by the names of their algorithms in Node. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])

interface Digest {
  readonly name: string
  readonly algorithm: string
  /** In base64, without padding. */
  readonly value: string
}

/** What is wrong with a Content-Digest for this body; null when every supported digest matches. */
export function digestProblem(header: string | null, body: Uint8Array): string | null {
  if (header === null) {
    return 'there is no Content-Digest'
  }
  const known = header.split(',').flatMap((part) => digestIn(part.trim()))
  if (known.length === 0) {
    return 'the Content-Digest has neither sha-256 nor sha-512'
  }
  const wrong = known.find(({ algorithm, value }) => digestOf(algorithm, body) !== value)
  return wrong ? `the Content-Digest (${wrong.name}) is not that of the body` : null
}

/** A dictionary member of a byte sequence: `sha-256=:…:`. Padding may be left out or be there. */
function digestIn(part: string): Digest[] {
  const [, name = '', value = ''] = /^([a-z0-9-]+)=:([A-Za-z0-9+/]*)={0,2}:$/.exec(part) ?? []
  const algorithm = ALGORITHMS.get(name)
  return algorithm === undefined ? [] : [{ name, algorithm, value }]
}

function digestOf(algorithm: string, body: Uint8Array): string {
  return createHash(algorithm).update(body).digest('base64').replace(/=+$/, '')
}
