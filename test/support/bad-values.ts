import { deref } from './conformance.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly example?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

/** A value that its schema does not allow: what is wrong with it, and where. */
export interface Bad {
  readonly what: string
  readonly path: readonly string[]
  readonly value: unknown
}

/** Every single way in which a schema says a value can be wrong, each made of a valid one. */
export function* badValues(schema: Schema, valid: unknown): Generator<Bad> {
  const whole = follow(schema)
  if (whole.oneOf) {
    for (const [i, variant] of whole.oneOf.entries()) {
      for (const one of badValues(variant, exampleOf(variant))) {
        if (i === 0 || !isShared(whole.oneOf, one.path[0] ?? '')) {
          yield one
        }
      }
    }
    return
  }
  if (whole.anyOf) {
    // Nothing but its fields tells such a shape from the others, so none of them is missed.
    for (const [i, variant] of whole.anyOf.entries()) {
      for (const one of badValues(variant, exampleOf(variant))) {
        if (i === 0 || !one.what.startsWith('lacks ')) {
          yield one
        }
      }
    }
    return
  }
  for (const value of wrongTypes(whole)) {
    yield bad(`is ${JSON.stringify(value)}`, value)
  }
  for (const value of wrongScalars(whole)) {
    yield bad(`is ${JSON.stringify(value)?.slice(0, 40)}`, value)
  }
  yield* badItems(whole, valid)
  yield* badFields(whole, valid)
}

/** Whether all shapes have the same field by this name: then wrong in one is wrong in all. */
function isShared(variants: readonly Schema[], name: string): boolean {
  const fields = variants.map((variant) => JSON.stringify(follow(variant).properties?.[name] ?? 0))
  return new Set(fields).size === 1 && fields[0] !== '0'
}

function bad(what: string, value: unknown, path: readonly string[] = []): Bad {
  return { what, path, value }
}

function* badItems(schema: Schema, valid: unknown): Generator<Bad> {
  if (!schema.items || !Array.isArray(valid)) {
    return
  }
  const [first] = valid
  const many = (count: number) => Array.from({ length: count }, () => first)
  if (schema.minItems) {
    yield bad('is empty', [])
  }
  if (schema.maxItems !== undefined) {
    yield bad('has too many', many(schema.maxItems + 1))
  }
  for (const one of badValues(schema.items, first)) {
    yield bad(`.0 ${one.what}`, [one.value], ['0', ...one.path])
  }
}

function* badFields(schema: Schema, valid: unknown): Generator<Bad> {
  if (!schema.properties) {
    return
  }
  const whole = valid as Record<string, unknown>
  for (const name of schema.required ?? []) {
    const { [name]: _left, ...rest } = whole
    yield bad(`lacks ${name}`, rest, [name])
  }
  if (schema.additionalProperties === false) {
    const surprise = { ...whole, surprise: 1 }
    yield bad('has a field that nobody knows', surprise, ['surprise'])
  }
  for (const [name, field] of Object.entries(schema.properties)) {
    for (const one of badValues(field, whole[name] ?? exampleOf(field))) {
      yield bad(`${name} ${one.what}`, { ...whole, [name]: one.value }, [name, ...one.path])
    }
  }
}

const OF_EACH_TYPE = {
  object: { a: 1 },
  array: ['a'],
  string: 'text',
  number: 12.5,
  boolean: true,
  null: null,
} as const

function wrongTypes({ type, properties }: Schema): readonly unknown[] {
  if (type === undefined) {
    return []
  }
  const types = typeof type === 'string' ? [type] : type
  return Object.entries(OF_EACH_TYPE).flatMap(([name, value]) => {
    const isObject = name === 'object' && properties !== undefined
    return types.includes(name) || isObject ? [] : [value]
  })
}

/** Text that looks like what it should be, and is not. */
const NOT_OF_FORMAT: Readonly<Record<string, readonly string[]>> = {
  uuid: ['not-a-uuid', '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e0', '../../etc/passwd', "' or 1=1 --"],
  'date-time': ['yesterday', '2026-02-30T00:00:00.000Z', '2026-06-15', '1781521200000'],
  email: ['nobody', '@example.com', 'a b@example.com', 'a@b\nBcc: c@example.com'],
  uri: ['nowhere', 'javascript:alert(1)', 'https://'],
}

function wrongScalars(schema: Schema): readonly unknown[] {
  const { minimum, maximum, minLength, maxLength, format, pattern } = schema
  return [
    ...(minimum !== undefined ? [minimum - 1, -1e308] : []),
    ...(maximum !== undefined ? [maximum + 1, 1e308] : []),
    ...(minLength ? ['', ' '.repeat(minLength - 1)] : []),
    ...(maxLength !== undefined ? ['a'.repeat(maxLength + 1)] : []),
    ...(pattern !== undefined ? ['#', 'ÄÖÜ'] : []),
    ...(schema.enum ? ['surely none of these', ''] : []),
    ...(NOT_OF_FORMAT[format ?? ''] ?? []),
  ]
}

/** The schema behind a reference, with what stands beside the reference. */
export function follow(schema: Schema): Schema {
  const { $ref: _ref, ...own } = schema
  return schema.$ref === undefined ? schema : { ...follow(deref(schema)), ...own }
}

/** A value of the schema, by the examples in it. */
function exampleOf(schema: Schema): unknown {
  const whole = follow(schema)
  if (whole.example !== undefined) {
    return whole.example
  }
  if (whole.default !== undefined) {
    return whole.default
  }
  if (whole.enum) {
    return whole.enum[0]
  }
  const [variant] = whole.oneOf ?? whole.anyOf ?? []
  if (variant) {
    return exampleOf(variant)
  }
  if (whole.items) {
    return [exampleOf(whole.items)]
  }
  if (!whole.properties) {
    return undefined
  }
  const fields = Object.entries(whole.properties)
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]))
}
