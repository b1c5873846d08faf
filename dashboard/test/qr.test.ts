import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { drawQr } from '../src/ui/qr.ts'

/** Pixels for each module: as coarse as a camera that stands far away. */
const SCALE = 3

/** The drawing as a camera sees it, from the squares of its path. */
function photographOf(markup: string) {
  const size = Number(/viewBox="0 0 (\d+)/.exec(markup)?.[1])
  const width = size * SCALE
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y] of markup.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let i = 0; i < SCALE * SCALE; i++) {
      const column = Number(x) * SCALE + (i % SCALE)
      const row = Number(y) * SCALE + Math.floor(i / SCALE)
      pixels.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
    }
  }
  return { pixels, width }
}

test.each([
  'https://trust.example/verify/01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e',
  'http://127.0.0.1:8080/verify/01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e',
  `https://a-very-long-name-of-a-host.${'example.'.repeat(20)}com/under/a/path/verify/01931b66`,
])('a QR reader decodes %s from the drawing', (link) => {
  const { pixels, width } = photographOf(drawQr(link, 'words'))
  expect(jsQR(pixels, width, width)?.data).toBe(link)
})
