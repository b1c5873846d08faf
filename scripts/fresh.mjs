// Whether a bundle is as new as its sources. Apart from the bundler: most starts need no more than this.
import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const SOURCES = ['src', 'cli/src', 'sdk/src', 'scripts', 'lab', 'packages', 'examples']

/** The bundle of `entry`, unless a source is newer. */
export function freshBundle(entry) {
  const file = join(root, 'dist', bundleName(entry))
  return modified(file) > newest() ? file : null
}

export function bundleName(entry) {
  return `${basename(entry, '.ts')}.mjs`
}

export function modified(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** When the latest source was changed. No test is part of a bundle. */
function newest() {
  let latest = modified(join(root, 'package-lock.json'))
  const folders = SOURCES.map((name) => join(root, name))
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder)) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== 'dist') {
          folders.push(path)
        }
      } else if (!entry.name.endsWith('.test.ts')) {
        latest = Math.max(latest, modified(path))
      }
    }
  }
  return latest
}

/** An installed package has no sources of the lab. */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOENT') {
      return []
    }
    throw error
  }
}
