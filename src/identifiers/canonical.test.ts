import { expect, test } from 'vitest'
import { canonicalIdentifier } from './canonical.ts'

test.each([
  ['Agent.Example.COM.', 'agent.example.com'],
  ['example.com:443', 'example.com'],
  ['example.com:0443', 'example.com'],
  ['example.com:08443', 'example.com:8443'],
  ['bücher.example', 'xn--bcher-kva.example'],
  // Marks of a writing: vowel signs, an accent of its own, a joiner between two letters.
  ['उदाहरण.भारत', 'xn--p1b6ci4b4b3a.xn--h2brj9c'],
  ['bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['نامه\u200cای.com', 'xn--mgba3gch31f060k.com'],
  ['did:web:उदाहरण.भारत:a', 'did:web:xn--p1b6ci4b4b3a.xn--h2brj9c:a'],
  ['https://Example.com:443/a/../b', 'https://example.com/b'],
  ['https://example.com/.well-known/http-message-signatures-directory', 'https://example.com'],
  ['did:web:Example.com%3a08443:Users:ada', 'did:web:example.com%3A8443:Users:ada'],
  ['did:web:example.com%3A0443', 'did:web:example.com'],
  [
    'eip155:01:0xAB16A96D359EC26A11E2C2B3D8F8B8942D5BFCDB',
    'eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb',
  ],
  ['eip155:0:0xAB', 'eip155:0:0xab'],
  ['SPIFFE://Trust.Example/Agents/a', 'spiffe://trust.example/Agents/a'],
  ['Com.Example/Weather', 'com.example/Weather'],
])('%s and its other spellings are one name: %s', (text, canonical) => {
  expect(canonicalIdentifier(text)).toBe(canonical)
  expect(canonicalIdentifier(canonical)).toBe(canonical)
})

test.each([
  'did:web:example.com%3Ax',
  'did:web:example.com%3A',
  'did:key:z6Mk',
  'https://',
  'a b',
  '',
])('a text that is no name of a known form is left as it is: %s', (text) =>
  expect(canonicalIdentifier(text)).toBe(text),
)
