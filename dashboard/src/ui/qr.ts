import { el, picture } from '@standing/design/svg.ts'
import { encode } from 'uqr'

/** Light modules around it, without which readers do not find the code (ISO/IEC 18004). */
const QUIET_ZONE = 4

/** A text as a QR code. It stays dark on light in the dark theme: many readers take no other. */
export function drawQr(text: string, words: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return picture(
    { class: 'qr', viewBox: `0 0 ${size} ${size}`, 'shape-rendering': 'crispEdges' },
    words,
    el('rect', { width: size, height: size, fill: '#fff' }),
    el('path', { d: dark.join(''), fill: '#000' }),
  )
}
