import type { Stroke } from './strokes.ts'

export type Colour = readonly [red: number, green: number, blue: number]

/** `#0a7a55` */
export function colourOf(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Disc {
  readonly x: number
  readonly y: number
  readonly radius: number
}

/** A picture in memory, three bytes a pixel, with smooth edges. */
export function createCanvas(width: number, height: number, background: Colour) {
  const pixels = new Uint8Array(width * height * 3)
  for (let i = 0; i < pixels.length; i++) {
    pixels[i] = background[i % 3] ?? 0
  }

  /** Lays a colour over a box, as thick as `coverage` (0 to 1) says at the middle of each pixel. */
  function paint(box: Box, colour: Colour, coverage: (x: number, y: number) => number): void {
    const bottom = Math.min(height, Math.ceil(box.bottom))
    const right = Math.min(width, Math.ceil(box.right))
    for (let y = Math.max(0, Math.floor(box.top)); y < bottom; y++) {
      for (let x = Math.max(0, Math.floor(box.left)); x < right; x++) {
        const share = Math.min(1, Math.max(0, coverage(x + 0.5, y + 0.5)))
        if (share === 0) {
          continue
        }
        const at = (y * width + x) * 3
        for (let channel = 0; channel < 3; channel++) {
          const below = pixels[at + channel] ?? 0
          pixels[at + channel] = Math.round(below + ((colour[channel] ?? 0) - below) * share)
        }
      }
    }
  }

  return {
    pixels,
    rectangle(box: Box, colour: Colour, opacity = 1) {
      paint(box, colour, () => opacity)
    },
    disc(disc: Disc, colour: Colour, part: 'whole' | 'left' = 'whole') {
      const reach = disc.radius + 1
      const { x: cx, y: cy } = disc
      const box = { left: cx - reach, top: cy - reach, right: cx + reach, bottom: cy + reach }
      paint(box, colour, (x, y) => {
        const side = part === 'left' ? cx - x + 0.5 : 1
        return Math.min(side, disc.radius + 0.5 - Math.sqrt((x - cx) ** 2 + (y - cy) ** 2))
      })
    },
    /** Lines of one thickness with round ends. */
    strokes(all: readonly Stroke[], thickness: number, colour: Colour) {
      for (const stroke of all) {
        const radius = thickness / 2
        paint(boxOf(stroke, radius + 1), colour, (x, y) => radius + 0.5 - distance(stroke, x, y))
      }
    },
  }
}

export type Canvas = ReturnType<typeof createCanvas>

function boxOf(stroke: Stroke, margin: number): Box {
  const xs = stroke.map(([x]) => x)
  const ys = stroke.map(([, y]) => y)
  return {
    left: Math.min(...xs) - margin,
    top: Math.min(...ys) - margin,
    right: Math.max(...xs) + margin,
    bottom: Math.max(...ys) + margin,
  }
}

/** From a point to the nearest of the lines that join the points of a stroke. */
function distance(stroke: Stroke, x: number, y: number): number {
  const [first = [0, 0]] = stroke
  let [ax, ay] = first
  let nearest = (x - ax) ** 2 + (y - ay) ** 2
  for (const [bx, by] of stroke) {
    const [dx, dy] = [bx - ax, by - ay]
    const length = dx * dx + dy * dy
    const along = length === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length
    const share = Math.min(1, Math.max(0, along))
    nearest = Math.min(nearest, (x - ax - dx * share) ** 2 + (y - ay - dy * share) ** 2)
    ax = bx
    ay = by
  }
  return Math.sqrt(nearest)
}
