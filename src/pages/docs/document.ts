/** The parts of an OpenAPI document that the pages show. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** Notifications, by type. */
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Body & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Body & { readonly description: string }>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface Body {
  readonly content?: Readonly<Record<string, Media>>
}

export interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly example?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** The target of a reference; any other value as it is. */
export function deref<T extends { readonly $ref?: string }>(document: Document, value: T): T {
  if (value.$ref === undefined) {
    return value
  }
  const path = value.$ref.slice(2).split('/')
  return path.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document) as T
}

/** The body as JSON, if it has one. */
export function jsonOf(body: Body | undefined): Media | undefined {
  return body?.content && Object.values(body.content)[0]
}

/** The first example of a body, under its name where there are several. */
export function exampleOf(media: Media | undefined): unknown {
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value
}
