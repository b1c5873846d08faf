import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { EVENT_TYPES, REPORTED_TYPES } from '../domain/event.ts'
import { DAY_MS } from '../domain/time.ts'
import { NOON } from '../ingest/testing/streams.ts'
import { type BehaviourProfile, copyOfProfile, EMPTY_PROFILE } from './profile.ts'
import { decodeProfile, encodeProfile } from './profile-codec.ts'
import type { InspectedEvent } from './rule.ts'
import { updateProfile } from './update-profile.ts'

const event = fc
  .record({
    type: fc.constantFrom(...REPORTED_TYPES),
    amount: fc.double({ min: 0, max: 1e15, noNaN: true }),
    reporter: fc.nat(12),
    isSelf: fc.boolean(),
    later: fc.nat(3 * DAY_MS),
    lag: fc.integer({ min: -300_000, max: 30 * DAY_MS }),
    isGiven: fc.boolean(),
    name: fc.option(fc.string({ maxLength: 20 })),
    held: fc.boolean(),
  })
  .map((one) => one)

type Made = typeof event extends fc.Arbitrary<infer T> ? T : never

function live(stream: readonly Made[]): BehaviourProfile {
  let at = NOON
  let profile = copyOfProfile(EMPTY_PROFILE)
  for (const made of stream) {
    at += made.later
    const inspected: InspectedEvent = {
      type: made.type,
      impact: EVENT_TYPES[made.type].impact,
      data: { amount: made.amount, currency: 'USD' },
      reporter: { kind: made.isSelf ? 'agent' : 'platform', id: `reporter-${made.reporter}` },
      self: made.isSelf,
      occurredAt: made.isGiven ? at - made.lag : at,
      occurredAtGiven: made.isGiven,
      oldestAt: at - 30 * DAY_MS,
      externalId: made.name,
      attestation: 'none',
      attestationProblem: null,
      credential: made.type.startsWith('credential') ? { type: 'Audit' } : null,
      needsCredential: !made.isSelf,
      issuer: '',
      ownerId: 'owner',
      at,
    }
    profile = updateProfile(profile, inspected, made.held)
  }
  return profile
}

test('a stored profile is read back exactly', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (stream) => {
      const profile = live(stream)
      expect(decodeProfile(encodeProfile(profile))).toEqual(profile)
    }),
    { numRuns: drawn(200) },
  )
})

test('a profile stays small, however long the history', () => {
  // The database stores rows of up to 2,000 bytes, without the evidence, in place.
  const long = fc.array(event, { minLength: 400, maxLength: 400 })
  fc.assert(
    fc.property(long, (stream) => {
      expect(encodeProfile(live(stream)).length).toBeLessThan(1_900)
    }),
    { numRuns: 10 },
  )
})
