import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** A file of a workspace, which npm links: found from the sources and from wherever a bundle lies. */
const MARK = '@standing/dashboard/package.json'

/** The directory of the checkout; null where the service was copied out of one. */
export function checkoutPath(): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(MARK)))
  } catch {
    return null
  }
}
