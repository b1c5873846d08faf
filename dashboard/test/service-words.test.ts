import { expect, test } from 'vitest'
import { REASON_CODES } from '../../src/domain/decision.ts'
import { PROOF_PROBLEMS } from '../../src/domain/identifier.ts'
import { RULES } from '../../src/fraud/rules.ts'
import { STATUS } from '../../src/http/errors.ts'
import { service } from '../src/messages/de/service.ts'

/** Errors that a request of the dashboard cannot have. */
const NOT_HERE = ['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'METHOD_NOT_ALLOWED']

const sorted = (codes: readonly string[]) => codes.toSorted()

test('every error, rule, reason of a decision and problem of an identifier has German words, and no words are left over', () => {
  const errors = Object.keys(STATUS).filter((code) => !NOT_HERE.includes(code))
  expect(sorted(Object.keys(service.errors))).toEqual(sorted(errors))
  expect(sorted(Object.keys(service.rules))).toEqual(sorted(RULES.map(({ id }) => id)))
  const measured = RULES.filter(({ threshold }) => threshold !== null)
  expect(sorted(Object.keys(service.units))).toEqual(sorted(measured.map(({ id }) => id)))
  expect(sorted(Object.keys(service.decisions))).toEqual(sorted(REASON_CODES))
  expect(sorted(Object.keys(service.proofs))).toEqual(sorted(PROOF_PROBLEMS))
})
