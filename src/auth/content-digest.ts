import { createHash } from 'node:crypto'

/** The digests of RFC 9530 that are safe to rely on. */
const ALGORITHMS = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const

type Name = keyof typeof ALGORITHMS

/** What is wrong with a Content-Digest for this body; null when every supported digest matches. */
export function digestProblem(header: string | null, body: Uint8Array): string | null {
  if (header === null) {
    return 'there is no Content-Digest'
  }
  const known = header.split(',').flatMap((part) => digestIn(part.trim()))
  if (known.length === 0) {
    return 'the Content-Digest has neither sha-256 nor sha-512'
  }
  const wrong = known.find(({ name, value }) => digestOf(name, body) !== value)
  return wrong ? `the Content-Digest (${wrong.name}) is not that of the body` : null
}

/** A dictionary member of a byte sequence: `sha-256=:…:`. Padding may be left out or be there. */
function digestIn(part: string): { readonly name: Name; readonly value: string }[] {
  const [, name, value] = /^([a-z0-9-]+)=:([A-Za-z0-9+/]*)={0,2}:$/.exec(part) ?? []
  return name !== undefined && value !== undefined && name in ALGORITHMS
    ? [{ name: name as Name, value }]
    : []
}

function digestOf(name: Name, body: Uint8Array): string {
  return createHash(ALGORITHMS[name]).update(body).digest('base64').replace(/=+$/, '')
}
