import { expect, test } from 'vitest'
import { isKept } from './sampler.ts'
import { newTraceId, parseTraceparent } from './span.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('the caller’s span is taken from traceparent', () => {
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`, 'a=1')).toEqual({
    traceId: TRACE,
    spanId: SPAN,
    isSampled: true,
    traceState: 'a=1',
  })
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-00`, null)?.isSampled).toBe(false)
  // A later version may say more behind the flags.
  expect(parseTraceparent(`01-${TRACE}-${SPAN}-01-more`, null)?.traceId).toBe(TRACE)
})

test.each([
  ['nothing', null],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
  ['more than the first version has', `00-${TRACE}-${SPAN}-01-more`],
  ['two headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
])('%s in traceparent starts a new trace', (_what, header) => {
  expect(parseTraceparent(header, null)).toBeNull()
})

test('a share of the traces is kept, the same ones by every service', () => {
  const half = { followsParent: true, share: 0.5 }
  const ids = Array.from({ length: 2_000 }, newTraceId)
  const kept = ids.filter((id) => isKept(half, null, id))
  expect(kept.length).toBeGreaterThan(800)
  expect(kept.length).toBeLessThan(1_200)
  expect(ids.filter((id) => isKept(half, null, id))).toEqual(kept)
  expect(isKept(half, null, `${'f'.repeat(31)}e`)).toBe(false)
  expect(isKept(half, null, '0'.repeat(32))).toBe(true)
})

test('the caller’s decision is followed if the sampler says so', () => {
  const parent = { traceId: TRACE, spanId: SPAN, isSampled: true, traceState: '' }
  expect(isKept({ followsParent: true, share: 0 }, parent, TRACE)).toBe(true)
  expect(isKept({ followsParent: false, share: 0 }, parent, TRACE)).toBe(false)
  expect(isKept({ followsParent: true, share: 1 }, { ...parent, isSampled: false }, TRACE)).toBe(
    false,
  )
})
