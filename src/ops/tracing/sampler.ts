import type { SpanContext } from '../../lib/span-context.ts'
import type { SamplerSettings } from '../../settings/tracing.ts'

/** The traces that are kept are those whose last 56 bits are below the share of this. */
const RANDOM_BITS = 2n ** 56n

/** Whether a trace is kept. Every service decides alike on the id of a trace. */
export function isKept(
  { followsParent, share }: SamplerSettings,
  parent: SpanContext | null,
  traceId: string,
): boolean {
  if (followsParent && parent !== null) {
    return parent.isSampled
  }
  if (share === 0 || share === 1) {
    return share === 1
  }
  const random = BigInt(`0x${traceId.slice(-14)}`)
  return random < BigInt(Math.round(share * Number(RANDOM_BITS)))
}
