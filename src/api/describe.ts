import { openApiDocument } from '../http/openapi.ts'
import { ABOUT } from './about.ts'
import { OPERATIONS } from './operations.ts'

/** A document takes a tenth of a second to make, and a process may open several services. */
const documents = new Map<string, object>()

/** The OpenAPI document of a service under `basePath`, made from the declarations alone. */
export function describe(basePath = ''): object {
  const known = documents.get(basePath)
  if (known) {
    return known
  }
  const document = openApiDocument(OPERATIONS, ABOUT, basePath)
  documents.set(basePath, document)
  return document
}
