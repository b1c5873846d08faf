/** Colours of the tokens as luminances, to judge contrast by WCAG 2.2. */

interface Rgb {
  readonly r: number
  readonly g: number
  readonly b: number
}

/** Linear sRGB of `oklch(L% C H)`, clipped to what a screen shows (Björn Ottosson's matrices). */
function linearRgb(text: string): Rgb {
  const match = /^oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)$/.exec(text.trim())
  if (!match) {
    throw new Error(`not an oklch colour: ${text}`)
  }
  const [lightness, chroma, hue] = match.slice(1).map(Number) as [number, number, number]
  const angle = (hue * Math.PI) / 180
  const a = chroma * Math.cos(angle)
  const b = chroma * Math.sin(angle)
  const light = lightness / 100
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  return {
    r: clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    g: clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    b: clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  }
}

function luminance({ r, g, b }: Rgb): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** The contrast ratio of WCAG, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(linearRgb(one)), luminance(linearRgb(other))].sort(
    (a, b) => a - b,
  )
  return (light + 0.05) / (dark + 0.05)
}
