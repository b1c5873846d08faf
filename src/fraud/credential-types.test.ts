import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { foldEvents } from '../domain/evidence.ts'
import { newEvidence } from '../domain/evidence-state.ts'
import { MODEL } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import { DAY_MS } from '../domain/time.ts'
import { NOON } from '../ingest/testing/streams.ts'
import { credentialShare } from './credential-types.ts'
import { copyOfProfile, EMPTY_PROFILE } from './profile.ts'
import type { InspectedEvent } from './rule.ts'
import { handOverProfile, updateProfile } from './update-profile.ts'

interface Said {
  readonly revokes?: boolean
  readonly kind: string
}

function inspected(rest: Partial<InspectedEvent>): InspectedEvent {
  return {
    type: 'credential.issued',
    impact: 'positive',
    data: {},
    reporter: { kind: 'owner', id: 'owner' },
    self: true,
    occurredAt: NOON,
    occurredAtGiven: false,
    oldestAt: 0,
    externalId: null,
    attestation: 'none',
    attestationProblem: null,
    credential: null,
    needsCredential: false,
    issuer: 'issuer',
    ownerId: 'owner',
    at: NOON,
    ...rest,
  }
}

function byPlatform(type: string): InspectedEvent {
  const reporter = { kind: 'platform', id: 'issuer' } as const
  return inspected({ reporter, self: false, credential: { type }, needsCredential: true })
}

/** What the agent's owner said of its credentials, as it counts. */
function counted(stream: readonly Said[]) {
  let profile = copyOfProfile(EMPTY_PROFILE)
  return stream.map(({ revokes = false, kind }) => {
    const event = inspected({
      type: revokes ? 'credential.revoked' : 'credential.issued',
      impact: revokes ? 'negative' : 'positive',
      data: { credentialType: kind },
    })
    const share = credentialShare(MODEL, profile, event)
    profile = updateProfile(profile, event)
    return { type: event.type, data: event.data, reporter: 'owner', self: true, at: NOON, share }
  })
}

function identityAfter(stream: readonly Said[]): number {
  const evidence = foldEvents(MODEL, newEvidence(MODEL, NOON), counted(stream))
  return scoreAt(MODEL, evidence, NOON).breakdown.identity.score
}

const issues = (count: number, kind = 'Audit') => Array.from({ length: count }, () => ({ kind }))

test('A13: a thousand credentials of one type give exactly the identity of one', () => {
  expect(identityAfter(issues(1_000))).toBe(identityAfter(issues(1)))
  expect(identityAfter(issues(1))).toBeGreaterThan(identityAfter([]))
})

test('A13: a thousand credential types count at most as much as five', () => {
  const types = (count: number) => Array.from({ length: count }, (_, i) => ({ kind: `T${i}` }))
  expect(identityAfter(types(1_000))).toBe(identityAfter(types(5)))
})

test('A13: credentials that an agent only claims to have count nothing, and take no place from real ones', () => {
  const claimed = (i: number) =>
    inspected({
      reporter: { kind: 'agent', id: 'agent' },
      data: { credentialId: `none-${i}`, credentialType: `T${i}` },
      needsCredential: true,
    })
  let profile = copyOfProfile(EMPTY_PROFILE)
  for (let i = 0; i < 20; i++) {
    expect(credentialShare(MODEL, profile, claimed(i))).toBe(0)
    profile = updateProfile(profile, claimed(i))
  }
  expect(credentialShare(MODEL, profile, inspected({ data: { credentialType: 'T0' } }))).toBe(1)
})

test('an agent that repeats a living credential gains nothing, and loses it in full when it is revoked', () => {
  const issued = inspected({ data: { credentialType: 'Audit' } })
  const repeated = inspected({
    reporter: { kind: 'agent', id: 'agent' },
    credential: { type: 'Audit' },
    needsCredential: true,
  })
  expect(credentialShare(MODEL, copyOfProfile(EMPTY_PROFILE), repeated)).toBe(0)
  let profile = updateProfile(copyOfProfile(EMPTY_PROFILE), issued)
  for (let i = 0; i < 3; i++) {
    expect(credentialShare(MODEL, profile, repeated)).toBe(0)
    profile = updateProfile(profile, repeated)
  }
  expect(credentialShare(MODEL, profile, { ...issued, type: 'credential.revoked' })).toBe(1)
})

test('revoking one of several credentials of a type is free, and revoking the last is not', () => {
  const revoke = { kind: 'Audit', revokes: true }
  const three = issues(3)
  expect(identityAfter([...three, revoke, revoke])).toBe(identityAfter(three))
  expect(identityAfter([...three, revoke, revoke, revoke])).toBeLessThan(identityAfter([]))
})

test('an owner gains nothing by issuing, revoking and issuing again', () => {
  const said = fc.record({ revokes: fc.boolean(), kind: fc.constantFrom('a', 'b', 'c', '') })
  fc.assert(
    fc.property(fc.array(said, { maxLength: 60 }), (stream) => {
      const kinds = new Set(stream.filter(({ revokes }) => !revokes).map(({ kind }) => kind))
      const once = [...kinds].map((kind) => ({ kind }))
      expect(identityAfter(stream)).toBeLessThanOrEqual(identityAfter(once))
    }),
    { numRuns: drawn(300) },
  )
})

test('each further credential type of a platform counts half of the one before, and the fifth nothing', () => {
  let profile = copyOfProfile(EMPTY_PROFILE)
  const shares = Array.from({ length: 6 }, (_, i) => {
    const event = byPlatform(`T${i}`)
    const share = credentialShare(MODEL, profile, event)
    profile = updateProfile(profile, event)
    return share
  })
  expect(shares).toEqual([1, 0.5, 0.25, 0.125, 0, 0])
})

test('a type that a platform issues again gains nothing', () => {
  const profile = updateProfile(copyOfProfile(EMPTY_PROFILE), byPlatform('Audit'))
  expect(credentialShare(MODEL, profile, byPlatform('Audit'))).toBe(0)
})

/** The evidence on an agent after what a platform said of one type of credential, on these days. */
function afterDays(said: readonly { readonly day: number; readonly revokes?: boolean }[]) {
  let profile = copyOfProfile(EMPTY_PROFILE)
  const events = said.map(({ day, revokes = false }) => {
    const type = revokes ? ('credential.revoked' as const) : ('credential.issued' as const)
    const event = { ...byPlatform('Audit'), type, at: NOON + day * DAY_MS }
    const share = credentialShare(MODEL, profile, event)
    profile = updateProfile(profile, event)
    return { type, data: {}, reporter: 'issuer', self: false, at: event.at, share }
  })
  return foldEvents(MODEL, newEvidence(MODEL, NOON), events)
}

test('a credential that is issued again counts as on its first day, however often and whenever', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2_000), { minLength: 1, maxLength: 40 }), (days) => {
      const said = days.sort((a, b) => a - b).map((day) => ({ day }))
      expect(afterDays(said).verified).toBeCloseTo(1, 12)
    }),
    { numRuns: drawn(200) },
  )
})

test('a credential that is renewed before the old one is revoked loses nothing', () => {
  const rotated = afterDays([{ day: 0 }, { day: 365 }, { day: 366, revokes: true }])
  expect(rotated).toMatchObject({ revoked: 0 })
  expect(rotated.verified).toBeCloseTo(2 ** (-1 / 365), 12)
})

test('revoking the credential that was issued last withdraws the statement, renewed or not', () => {
  const issued = (id: string) => ({ ...byPlatform('Audit'), data: { credentialId: id } })
  let profile = copyOfProfile(EMPTY_PROFILE)
  for (const id of ['first', 'second']) {
    profile = updateProfile(profile, issued(id))
  }
  const revoked = (id: string) => ({ ...issued(id), type: 'credential.revoked' as const })
  expect(credentialShare(MODEL, profile, revoked('first'))).toBe(0)
  expect(credentialShare(MODEL, profile, revoked('second'))).toBe(1)
  profile = updateProfile(profile, revoked('second'))
  expect(credentialShare(MODEL, profile, revoked('first'))).toBe(0)
  expect(credentialShare(MODEL, profile, issued('third'))).toBe(0.5)
})

test('revoking an old credential takes what is left of it, and none of what others issued', () => {
  const { verified, revoked } = afterDays([{ day: 0 }, { day: 730, revokes: true }])
  expect(verified).toBe(0)
  expect(revoked).toBeCloseTo(0.25, 12)
})

test('a platform that issues and revokes repeatedly takes at most twice what it gave', () => {
  let profile = copyOfProfile(EMPTY_PROFILE)
  let revoked = 0
  for (let i = 0; i < 40; i++) {
    for (const type of ['credential.issued', 'credential.revoked'] as const) {
      const event = { ...byPlatform(`T${i % 5}`), type }
      revoked += type === 'credential.revoked' ? credentialShare(MODEL, profile, event) : 0
      profile = updateProfile(profile, event)
    }
  }
  expect(revoked).toBeLessThan(2 * (1 + 0.5 + 0.25 + 0.125))
})

test('revoking what a platform did not issue counts a tenth, once', () => {
  const event = { ...byPlatform('Audit'), type: 'credential.revoked' as const }
  expect(credentialShare(MODEL, EMPTY_PROFILE, event)).toBe(0.1)
  const profile = updateProfile(copyOfProfile(EMPTY_PROFILE), event)
  expect(credentialShare(MODEL, profile, event)).toBe(0)
})

describe.each(['agent.transferred', 'agent.succeeded'] as const)('after %s', (type) => {
  const before = byPlatform('Audit')
  const revoked = { ...before, type: 'credential.revoked' } as const
  const handedOver = (...events: readonly InspectedEvent[]) => {
    const start = copyOfProfile(EMPTY_PROFILE)
    const profile = events.reduce((known, event) => updateProfile(known, event), start)
    return handOverProfile(profile, type)
  }

  test('a credential that is issued again counts as the first one did, as its evidence ended', () => {
    expect(credentialShare(MODEL, handedOver(before, byPlatform('Kyc')), before)).toBe(1)
  })

  test('revoking one of before counts as an opinion, once: nothing of it is left to take', () => {
    const profile = handedOver(before)
    expect(credentialShare(MODEL, profile, revoked)).toBe(0.1)
    expect(credentialShare(MODEL, updateProfile(profile, revoked), revoked)).toBe(0)
  })

  test('one that was revoked is remembered, as its revocation stays in the evidence', () => {
    expect(credentialShare(MODEL, handedOver(before, revoked), before)).toBe(0.5)
  })
})

test.each(['agent.limited', 'reports.discarded'] as const)(
  '%s, which hands no agent over, leaves its credentials as they are',
  (type) => {
    const profile = updateProfile(copyOfProfile(EMPTY_PROFILE), byPlatform('Audit'))
    expect(credentialShare(MODEL, handOverProfile(profile, type), byPlatform('Audit'))).toBe(0)
  },
)

test('a platform’s revocations cost less the more platforms confirm a credential', () => {
  const lossWith = (confirmed: number) => {
    const event = { data: {}, self: false, at: NOON }
    const before = foldEvents(
      MODEL,
      newEvidence(MODEL, NOON),
      Array.from({ length: confirmed }, (_, i) => ({
        ...event,
        type: 'credential.issued' as const,
        reporter: `p${i}`,
      })),
    )
    const attack = ['credential.issued', 'credential.revoked'] as const
    const after = foldEvents(
      MODEL,
      before,
      attack.map((type) => ({ ...event, type, reporter: 'rival' })),
    )
    const identity = (evidence: typeof before) =>
      scoreAt(MODEL, evidence, NOON).breakdown.identity.score
    return (identity(before) - identity(after)) / identity(before)
  }
  expect(lossWith(1)).toBeLessThan(0.3)
  expect(lossWith(4)).toBeLessThan(0.15)
  expect(lossWith(9)).toBeLessThan(0.08)
})
