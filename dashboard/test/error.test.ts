import { expect, test } from 'vitest'
import { ApiError, isSaidBeside } from '../src/api/error.ts'

const refusedFor = (...paths: string[]) => {
  const issues = paths.map((path) => ({ path, code: 'invalid', message: 'must be otherwise' }))
  return new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: '', details: { issues } })
}

test('an error is said once where fields show all of it, and below the form where they do not', () => {
  const fields = ['url', 'agentIds']
  expect(isSaidBeside(refusedFor('url'), fields)).toBe(true)
  expect(isSaidBeside(refusedFor('agentIds.0'), fields)).toBe(false)
  expect(isSaidBeside(refusedFor('url', 'events'), fields)).toBe(false)
  expect(isSaidBeside(new Error('offline'), fields)).toBe(false)
})
