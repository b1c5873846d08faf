import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../domain/canonical-json.ts'
import { LOG_TYPES } from '../domain/event.ts'
import { type Link, linkText } from './chain.ts'

const REQUIRED = {
  id: fc.string(),
  seq: fc.nat(),
  type: fc.constantFrom(...(Object.keys(LOG_TYPES) as Link['type'][])),
  data: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double(), fc.boolean())),
  reporter: fc.string(),
  self: fc.boolean(),
  at: fc.nat(),
}
const OPTIONAL = {
  reporterWeight: fc.double(),
  share: fc.double(),
  hardness: fc.double(),
  imported: fc.constant(true as const),
  voter: fc.string(),
  chainIndex: fc.nat(),
}
/** A field that is added to events has to be added here. */
const FIELDS = { ...REQUIRED, ...OPTIONAL } satisfies Record<keyof Link, unknown>

const links = fc.record(FIELDS, {
  requiredKeys: Object.keys(REQUIRED) as (keyof typeof REQUIRED)[],
})

test('an event is chained as its canonical JSON, whichever of its fields are given', () => {
  fc.assert(
    fc.property(links, (link) => {
      expect(linkText(link as Link)).toBe(canonicalJson(link))
    }),
  )
})
