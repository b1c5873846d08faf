/** A schema or anything else in an OpenAPI document, as JSON. */
export interface Json {
  readonly [key: string]: unknown
}

/**
 * Adds an example to every JSON body of the document, made from the examples of its fields. A body with
 * several shapes gets one for each.
 */
export function addExamples(document: Json): void {
  const within = (schema: Json) => exampleOf(document, schema)
  const { paths, webhooks } = document as Readonly<Record<string, Record<string, Json>>>
  for (const item of Object.values({ ...paths, ...webhooks })) {
    for (const operation of Object.values(item) as Operation[]) {
      for (const { content } of [
        operation.requestBody,
        ...Object.values(operation.responses),
      ].filter((one) => one !== undefined)) {
        for (const [type, media] of Object.entries(content ?? {})) {
          if (!type.endsWith('json') || type.endsWith('ndjson')) {
            continue
          }
          if (!media.schema || media.example || media.examples) {
            continue
          }
          const variants = deref(document, media.schema).oneOf as Json[] | undefined
          if (variants) {
            media.examples = named(variants.map(within))
          } else {
            media.example = within(media.schema)
          }
        }
      }
    }
  }
}

interface Media {
  readonly schema?: Json
  example?: unknown
  examples?: Json
}

interface Body {
  readonly content?: Readonly<Record<string, Media>>
}

interface Operation {
  readonly requestBody?: Body
  readonly responses: Readonly<Record<string, Body>>
}

/** An example of a shape with a `type` is named by it. */
function named(values: readonly unknown[]): Json {
  const nameOf = (value: unknown, i: number) => String((value as Json).type ?? `example ${i + 1}`)
  return Object.fromEntries(values.map((value, i) => [nameOf(value, i), { value }]))
}

/** An example value of a schema. */
function exampleOf(document: Json, schema: Json): unknown {
  const { $ref, example, const: only, enum: values, allOf, anyOf, oneOf, items, type } = schema
  const within = (one: unknown) => exampleOf(document, one as Json)
  if ($ref !== undefined) {
    return within(deref(document, schema))
  }
  if (example !== undefined) {
    return example
  }
  if (schema.default !== undefined) {
    return schema.default
  }
  if (only !== undefined) {
    return only
  }
  if (Array.isArray(values)) {
    return values[0]
  }
  if (Array.isArray(allOf)) {
    return Object.assign({}, ...allOf.map(within))
  }
  const options = anyOf ?? oneOf
  if (Array.isArray(options)) {
    return within(options[0])
  }
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'object') {
    const fields = Object.entries((schema.properties ?? {}) as Json)
    return Object.fromEntries(fields.map(([name, field]) => [name, within(field)]))
  }
  if (kind === 'array') {
    return items ? [within(items)] : []
  }
  if (kind === 'boolean') {
    return false
  }
  if (kind === 'integer' || kind === 'number') {
    return schema.minimum ?? 0
  }
  return kind === 'null' ? null : 'string'
}

function deref(document: Json, schema: Json): Json {
  if (typeof schema.$ref !== 'string') {
    return schema
  }
  const path = schema.$ref.slice(2).split('/')
  return path.reduce((at, part) => at[part] as Json, document)
}
