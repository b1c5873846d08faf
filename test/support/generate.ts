import { below, type Chance, pick } from '../../src/domain/testing/chance.ts'
import { follow, type Schema } from './bad-values.ts'

/** Values that programs often take badly, whatever they stand for. */
const AWKWARD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  5e-324,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\ufeff',
  '𝒜'.repeat(40),
  'a'.repeat(5_000),
  '1e400',
  '__proto__',
  "' or 1=1 --",
  '{{7*7}}<script>',
  '../../etc/passwd',
  '00000000-0000-0000-0000-000000000000',
  '2026-02-30T00:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  'http://169.254.169.254/',
  [],
  {},
  [[[[]]]],
  { constructor: { prototype: 1 } },
]

/** How often a part of a value is replaced, and an optional field is there. */
const REPLACED = 0.15
const PRESENT = 0.6

/** How deep generated values go: schemas may contain themselves. */
const DEPTH_MAX = 6

export function awkward(chance: Chance): unknown {
  return pick(chance, AWKWARD)
}

/** A valid value with some of its parts replaced, left out, doubled or added. */
export function mutated(value: unknown, chance: Chance): unknown {
  if (chance() < REPLACED) {
    return awkward(chance)
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => mutated(item, chance))
    return chance() < REPLACED ? [...items, ...items] : items
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  const kept = Object.entries(value).filter(() => chance() > REPLACED)
  const fields = kept.map(([name, field]) => [name, mutated(field, chance)] as const)
  const more = chance() < REPLACED ? [['surprise', awkward(chance)] as const] : []
  return Object.fromEntries([...fields, ...more])
}

/** A value as a schema describes it, mostly: near its bounds, and now and then beyond them. */
export function generated(given: Schema, chance: Chance, depth = 0): unknown {
  const schema = follow(given)
  if (depth > DEPTH_MAX || chance() < 0.05) {
    return awkward(chance)
  }
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) {
    return generated(pick(chance, variants), chance, depth + 1)
  }
  if (schema.enum) {
    return pick(chance, schema.enum)
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['object'])
  switch (pick(chance, types)) {
    case 'string':
      return text(schema, chance)
    case 'integer':
    case 'number':
      return number(schema, chance)
    case 'boolean':
      return chance() < 0.5
    case 'null':
      return null
    case 'array':
      return items(schema, chance, depth)
    default:
      return fields(schema, chance, depth)
  }
}

function text({ format, example, minLength, maxLength }: Schema, chance: Chance): unknown {
  if (example !== undefined && chance() < 0.5) {
    return example
  }
  switch (format) {
    case 'uuid':
      return crypto.randomUUID()
    case 'date-time':
      return new Date(Date.now() + (chance() - 0.5) * 10 ** (13 * chance())).toISOString()
    default:
      return pick(chance, ['a', 'Ä', '\u{1f600}', '-']).repeat(
        pick(chance, [minLength ?? 0, maxLength ?? 20, below(chance, 20)]),
      )
  }
}

function number({ type, minimum, maximum }: Schema, chance: Chance): number {
  const value = pick(chance, [minimum ?? 0, maximum ?? 1_000, 1_000 * chance()])
  return type === 'integer' ? Math.round(value) : value
}

function items({ items, minItems, maxItems }: Schema, chance: Chance, depth: number): unknown {
  const few = Math.min(maxItems ?? 3, (minItems ?? 0) + below(chance, 3))
  return Array.from({ length: few }, () => generated(items ?? {}, chance, depth + 1))
}

function fields(schema: Schema, chance: Chance, depth: number): unknown {
  const { properties = {}, required = [] } = schema
  const present = Object.entries(properties).filter(
    ([name]) => chance() < (required.includes(name) ? 0.95 : PRESENT),
  )
  return Object.fromEntries(
    present.map(([name, field]) => [name, generated(field, chance, depth + 1)]),
  )
}
