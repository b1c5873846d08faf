import { openApiDocument } from '../http/openapi.ts'
import { ABOUT } from './about.ts'
import { OPERATIONS } from './operations.ts'

/** The OpenAPI document, made from the declarations alone. It takes a third of a second of a core. */
export function describe(): object {
  return openApiDocument(OPERATIONS, ABOUT)
}

/** The document of a service under `basePath`: the written one, else a new one. */
export function documentAt(basePath: string, written: string | null): object {
  const document: object = written === null ? describe() : JSON.parse(written)
  return { ...document, servers: [{ url: basePath || '/', description: 'This service' }] }
}
