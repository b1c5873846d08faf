// Whether a bundle is as new as its sources. Apart from the bundler: most starts need no more than this.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The bundle of `entry`, unless a source is newer. */
export function freshBundle(entry) {
  const file = join(root, 'dist', bundleName(entry))
  const built = modified(file)
  return built > 0 && isNewer(built, inputsOf(entry)) ? file : null
}

export function bundleName(entry) {
  return `${basename(entry, '.ts')}.mjs`
}

/** Where the bundler lists what a bundle was made from. */
export function inputsName(entry) {
  return `${basename(entry, '.ts')}.inputs.json`
}

export function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Null where there is no list. */
function inputsOf(entry) {
  try {
    return JSON.parse(readFileSync(join(root, 'dist', inputsName(entry)), 'utf8'))
  } catch {
    return null
  }
}

/** Not where a source is gone. A new source is imported by one that has changed. */
function isNewer(built, inputs) {
  return (
    inputs?.every((path) => {
      const changed = modified(`${root}/${path}`)
      return changed > 0 && changed < built
    }) ?? false
  )
}
