import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** A file of a workspace, which npm links: found from the sources and from wherever a bundle lies. */
const MARK = '@standing/dashboard/package.json'

/** The directory of the checkout; null where the service was copied out of one. */
export function checkoutPath(): string | null {
  const path = pathOf(MARK)
  return path === null ? null : dirname(dirname(path))
}

/** The path of a file of a package; null where it is not there. */
export function pathOf(file: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(file)
  } catch {
    return null
  }
}
