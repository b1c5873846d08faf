import { describedRoutes } from '../../src/api/describe.ts'
import type { Route } from '../../src/http/route.ts'
import type { Schema } from './bad-values.ts'
import { document, type Operation } from './conformance.ts'

/** One operation, as the document describes it and as the routes declare it. */
export interface Described {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly callers: Route['callers']
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly bodySchema: Schema | undefined
  /** Bodies that are right, one of each shape. */
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

export const OPERATIONS: readonly Described[] = describedRoutes()
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ method, path, callers }) => {
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
