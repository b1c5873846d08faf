import { OPERATIONS as DECLARED } from '../../src/api/operations.ts'
import type { Operation as Declared } from '../../src/http/route.ts'
import type { Schema } from './bad-values.ts'
import { document, type Operation } from './conformance.ts'

/** One operation, as the document and its declaration describe it. */
export interface Described {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly callers: Declared['callers']
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly bodySchema: Schema | undefined
  /** Valid bodies, one of each shape. */
  readonly examples: readonly unknown[]
  readonly isBodyRequired: boolean
}

interface Body {
  readonly required?: boolean
  readonly content: {
    readonly 'application/json': {
      readonly schema: Schema
      readonly example?: unknown
      readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
    }
  }
}

/** An operation that takes a stream has tests of its own: its body is no JSON document. */
export const OPERATIONS: readonly Described[] = DECLARED.filter(
  ({ path, streams }) => path.startsWith('/v1/') && !streams,
).map(({ method, path, callers }) => {
  const operation = document.paths[path]?.[method] as Operation & {
    readonly parameters?: Described['parameters']
    readonly requestBody?: Body
  }
  const media = operation.requestBody?.content['application/json']
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    callers,
    parameters: operation.parameters ?? [],
    bodySchema: media?.schema,
    examples: media?.example
      ? [media.example]
      : Object.values(media?.examples ?? {}).map(({ value }) => value),
    isBodyRequired: operation.requestBody?.required === true,
  }
})
