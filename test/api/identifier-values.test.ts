import type { IdentifierType } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { startDns } from '../support/dns.ts'
import { newClaim, problemOf } from '../support/identifiers.ts'
import { newAgent, startService } from '../support/service.ts'

const dns = await startDns()
const at = await startService({
  STANDING_RATE_LIMITS: 'off',
  STANDING_WEBHOOK_ALLOW: '',
  STANDING_DNS_SERVERS: dns.server,
})
const { agent, client } = await newAgent(at)

const claim = (type: IdentifierType, value: string) =>
  client.identifiers.claim(agent.id, { type, value })

/** The values of one type, each with words of the message that refuses it. */
const REFUSED: readonly (readonly [IdentifierType, readonly (readonly [string, string])[]])[] = [
  [
    'domain',
    [
      ['https://example.com', 'has a scheme (https://); it must be a host name'],
      ['example.com/agents', 'has a path'],
      ['ada@example.com', 'has a user name'],
      ['-a.com', 'has a label that starts with a hyphen ("-a"); it must be a host name'],
      ['a.b-.com', 'has a label that ends with a hyphen ("b-")'],
      ['a..com', 'has an empty label'],
      [`${'a'.repeat(64)}.com`, 'has a label of more than 63 characters'],
      [`${'a.'.repeat(127)}com`, 'has a host name of more than 253 characters'],
      ['exa_mple.com', 'has a character that host names do not have ("_")'],
      ['example.123', 'has a last label of digits alone ("123")'],
      ['xn--a.com', 'has a label that is no internationalised name ("xn--a")'],
      ['8.8.8.8', 'is an IP address; it must be a host name'],
      ['[2606:4700:4700::1111]', 'is an IP address'],
      ['2606:4700:4700::1111', 'is an IP address'],
      ['example', 'has no dot in its host name (example), so it is not public'],
      ['metadata.google.internal', 'is on a host that is not public (metadata.google.internal)'],
      ['example.com:22', 'must use port 443 or one from 1024 on'],
      ['example.com:99999', 'has a port that is no number from 1 to 65535 ("99999")'],
      ['example.com:web', 'has a port that is no number from 1 to 65535 ("web")'],
    ],
  ],
  [
    'a2a_card',
    [
      ['agent.example.com/card.json', 'has no scheme (https://); it must be the https URL of an'],
      ['ftp://example.com/card.json', 'has a scheme that is not https (ftp:)'],
      ['https://exa mple.com/card.json', 'cannot be read as a URL'],
      ['http://example.com/card.json', 'must be an https URL'],
      ['https://ada:secret@example.com/card.json', 'must not carry a user name or password'],
      ['https://example.com/card.json#one', 'must not have a fragment'],
      ['https://example.com:22/card.json', 'must use port 443 or one from 1024 on'],
      ['https://10.0.0.1/card.json', 'is at an IP address that is not public (10.0.0.1)'],
      ['https://[::1]/card.json', 'is at an IP address that is not public ([::1])'],
      ['https://agents/card.json', 'has no dot in its host name (agents)'],
      ['https://-a.com/card.json', 'has a label that starts with a hyphen ("-a")'],
    ],
  ],
  ['mcp_server', [['com.-a/weather', 'has a label that starts with a hyphen ("-a")']]],
  ['oauth_client', [['https://a-.com/client.json', 'has a label that ends with a hyphen ("a-")']]],
  [
    'spiffe',
    [
      ['https://example.org/a', 'does not start with spiffe://'],
      ['SPIFFE://example.org/a', 'does not start with spiffe:// in lower case'],
      ['spiffe:///a', 'has no trust domain'],
      ['spiffe://example.org/a?b=c', 'has a query'],
      ['spiffe://example.org/a#b', 'has a fragment'],
      ['spiffe://ada@example.org/a', 'has user information'],
      ['spiffe://example.org:8443/a', 'has a port'],
      ['spiffe://Example.org/a', 'has upper-case letters in its trust domain'],
      ['spiffe://example.org/a%20b', 'has percent-encoding'],
      ['spiffe://example.org/', 'ends with a slash'],
      ['spiffe://example.org/a/', 'ends with a slash'],
      ['spiffe://example.org//a', 'has an empty path segment'],
      ['spiffe://example.org/a/./b', 'has the path segment .'],
      ['spiffe://example.org/../b', 'has the path segment ..'],
      ['spiffe://example.org/a~b', 'has a character in its path that is not a letter'],
      ['spiffe://exam!ple.org/a', 'has a character in its trust domain that is not a lower-case'],
      ['spiffe://-a.org/a', 'has a label that starts with a hyphen'],
    ],
  ],
  [
    'did',
    [
      ['did:web:example.com#key', 'has a fragment; it must be a DID'],
      ['did:web:example.com?a=b', 'has a query'],
      ['did:web:example.com/a', 'has a path; separate its parts by colons'],
      ['did:web:example.com:', 'ends with a colon'],
      ['did:example:a%2', 'has a % that no two hexadecimal digits follow'],
      ['did:web:169.254.169.254', 'is an IP address'],
      ['did:web:8.8.8.8%3A8443', 'is an IP address'],
      ['did:web:-a.com', 'has a label that starts with a hyphen'],
      ['did:web:exa_mple.com', 'has a character that host names do not have ("_")'],
      ['did:web:ada%40example.com', 'has percent-encoding in its host name'],
      ['did:web:example.com%3A', 'has a port that is no number from 1 to 65535 ("")'],
      ['did:web:example.com%3A70000', 'has a port that is no number from 1 to 65535 ("70000")'],
      ['did:web:example.com%3A22', 'must use port 443 or one from 1024 on'],
      ['did:web:example.com::a', 'has an empty path segment'],
      ['did:web:example.com:..:a', 'has the path segment ..'],
      ['did:web:example.com:%2E%2e:a', 'has the path segment ..'],
      ['did:web:example', 'has no dot in its host name (example)'],
    ],
  ],
  ['caip10', [['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:abc', 'has an address that is no 32']]],
]

describe.each(REFUSED)('a new %s', (type, cases) => {
  test.each(cases)('%s is refused, and the message says why', async (value, message) => {
    expect(await problemOf(claim(type, value))).toMatchObject({
      path: 'value',
      message: expect.stringContaining(message),
    })
  })
})

test.each<readonly [IdentifierType, string]>([
  ['domain', 'a-b.x--y.example.com:8443'],
  ['domain', 'bücher.example'],
  ['domain', 'उदाहरण.भारत'],
  ['domain', 'نامه\u200cای.com'],
  ['a2a_card', 'https://1.1.1.1/card.json'],
  ['a2a_card', 'https://my_agent.example.com/card.json?v=1'],
  ['spiffe', 'spiffe://example.org'],
  ['spiffe', 'spiffe://my_domain.example.org/ns/Agents/a.b_c-d'],
  ['did', 'did:web:example.com%3A8443:user:a%20b'],
  ['did', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'],
])('%s %s is accepted', async (type, value) => {
  expect(await claim(type, value)).toMatchObject({ status: 'claimed' })
})

test('a name that was claimed before its form was checked can still be read and proven', async () => {
  const { agent: holder, verify, read, challenge } = await newClaim(at, 'domain', 'old.test')
  const database = createPool({ url: at.database.url }, { max: 1 })
  await database.query("update identifiers set value = '-a.test' where agent_id = $1", [holder.id])
  await database.end()
  expect(await read()).toMatchObject({ value: '-a.test', status: 'claimed' })
  expect(await at.anyone.lookup.get('-a.test')).toMatchObject({ match: 'claimed' })
  dns.set('_standing-challenge.-a.test', challenge)
  expect(await verify()).toMatchObject({ value: '-a.test', status: 'verified' })
})

describe('the ways to prove a name', () => {
  test.each<readonly [IdentifierType, string, readonly string[]]>([
    ['did', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz', []],
    // X25519, a key that agrees on secrets and signs nothing.
    ['did', 'did:key:z6LSeu9HkTHSfLLeUs2nnzUSNedgDUevfNQgQjQC23ZCit6F', []],
    ['did', 'did:jwk:e30', []],
    ['did', 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', ['signature']],
    ['did', 'did:web:example.com', ['well_known', 'dns', 'signature']],
    ['caip10', 'bip122:000000000019d6689c085ae165831e93:128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6', []],
    ['caip10', 'eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb', ['signature']],
    ['domain', 'example.com', ['well_known', 'dns']],
    ['oauth_client', '0oa2hl2inow5Uqc6c357', []],
  ])('of %s %s are those that can: %j', async (type, value, methods) => {
    const { identifier } = await newClaim(at, type, value)
    expect(identifier.ways.map(({ method }) => method)).toEqual(methods)
  })
})
