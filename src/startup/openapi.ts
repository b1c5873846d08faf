import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkoutPath } from './checkout.ts'

/** The text of the OpenAPI document that `npm run openapi` wrote; null outside a checkout. */
export async function readOpenApi(): Promise<string | null> {
  const root = checkoutPath()
  return root === null ? null : readFile(join(root, 'openapi.json'), 'utf8')
}
