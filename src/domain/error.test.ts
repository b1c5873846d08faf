import { expect, test } from 'vitest'
import { TrustError } from './error.ts'

test('a refusal notes no calls, and other errors after it do', () => {
  const refusal = new TrustError('RATE_LIMIT_EXCEEDED', 'too many events', { max: 1 }, 60)
  expect(refusal).toBeInstanceOf(Error)
  expect(refusal).toMatchObject({
    name: 'TrustError',
    message: 'too many events',
    details: { max: 1 },
  })
  expect(refusal.stack).not.toContain('\n')
  expect(new Error('a fault').stack).toContain('error.test.ts')
})
