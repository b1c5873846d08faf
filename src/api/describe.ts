import { openApiDocument } from '../http/openapi.ts'
import { ABOUT } from './about.ts'
import { OPERATIONS } from './operations.ts'

/** The OpenAPI document, made from the declarations alone. */
export function describe(): object {
  return openApiDocument(OPERATIONS, ABOUT)
}
