import { expect, test } from 'vitest'
import { etagOf, weakEtagOf } from './etag.ts'

test('equal bodies have equal tags, and different bodies have different ones', () => {
  expect(etagOf('{"score":742}')).toBe(etagOf('{"score":742}'))
  expect(etagOf('{"score":742}')).not.toBe(etagOf('{"score":743}'))
})

test('a tag is quoted as RFC 9110 requires, and a weak one marked', () => {
  expect(etagOf('')).toBe('"47DEQpj8HBSa-_TImW-5JC"')
  expect(weakEtagOf('')).toBe('W/"47DEQpj8HBSa-_TImW-5JC"')
})
