import { describe, expect, test } from 'vitest'
import { credentialVerdict, type Proof, statusAt } from './credential.ts'

const NOW = 1_800_000_000_000
const GENUINE: Proof = { signature: true, issuer: true, subject: true }
const LIVING = { issuedAt: NOW - 1_000, expiresAt: NOW + 1_000, revokedAt: null }

test.each([
  [{}, 'active'],
  [{ expiresAt: null }, 'active'],
  [{ expiresAt: NOW + 1 }, 'active'],
  [{ expiresAt: NOW }, 'expired'],
  [{ revokedAt: NOW }, 'revoked'],
  [{ revokedAt: NOW, expiresAt: NOW - 1 }, 'revoked'],
])('a credential with %j is %s', (changed, status) => {
  expect(statusAt({ ...LIVING, ...changed }, NOW)).toBe(status)
})

describe('the verdict on a credential', () => {
  test.each([
    [{}, false, true, 'active', []],
    [{ expiresAt: NOW }, false, false, 'expired', ['expiry']],
    [{ revokedAt: NOW - 1 }, false, false, 'revoked', ['status']],
    [{ revokedAt: NOW - 1, expiresAt: NOW }, true, false, 'revoked', ['expiry', 'status']],
    [{}, true, false, 'suspended', ['status']],
    [{ expiresAt: NOW }, true, false, 'expired', ['expiry', 'status']],
    [{ issuedAt: NOW + 60_000 }, false, true, 'active', []],
    [{ issuedAt: NOW + 60_001 }, false, false, 'invalid', ['notBefore']],
  ])('with %j and suspended %s is valid %s, %s', (changed, isSuspended, valid, status, failed) => {
    const verdict = credentialVerdict({ ...LIVING, ...changed }, GENUINE, isSuspended, NOW)
    expect(verdict).toMatchObject({ valid, status })
    const not = Object.entries(verdict.checks).flatMap(([name, holds]) => (holds ? [] : [name]))
    expect(not.sort()).toEqual(failed)
  })

  test.each(['signature', 'issuer', 'subject'] as const)(
    'without a valid %s is invalid',
    (missing) => {
      const verdict = credentialVerdict(LIVING, { ...GENUINE, [missing]: false }, false, NOW)
      expect(verdict).toMatchObject({ valid: false, status: 'invalid' })
      expect(verdict.checks[missing]).toBe(false)
    },
  )
})
