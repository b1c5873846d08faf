/** SVG as text, for pages made by the server and for components alike. */

type Value = string | number | undefined | null

/** An element; attributes without a value are left out. Children are markup already. */
export function el(
  name: string,
  attributes: Readonly<Record<string, Value>>,
  ...children: readonly string[]
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`)
    .join('')
  const inside = children.join('')
  return inside === '' ? `<${name}${written}/>` : `<${name}${written}>${inside}</${name}>`
}

/** Text that stands between or inside tags. */
function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

/** A share of the width. Positions in percent let a drawing be as wide as its place. */
export function percent(share: number): string {
  return `${round(share * 100)}%`
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}

/** A picture with a text for people who cannot see it; without a text it is decoration. */
export function picture(
  attributes: Readonly<Record<string, Value>>,
  words: string | null,
  ...children: readonly string[]
): string {
  const access = words === null ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': words }
  return el('svg', { xmlns: 'http://www.w3.org/2000/svg', ...access, ...attributes }, ...children)
}
