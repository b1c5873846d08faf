import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

export const ROOT = dirname(dirname(import.meta.dirname))

/** The source files of the product and of the lab, without tests and what only tests use. */
export const SOURCES = ['src', 'packages', 'sdk', 'cli', 'lab', 'dashboard/src'].flatMap(sourcesIn)

function sourcesIn(dir: string): readonly string[] {
  return readdirSync(join(ROOT, dir)).flatMap((name) => {
    const path = join(dir, name)
    if (name === 'node_modules' || name === 'dist') {
      return []
    }
    if (statSync(join(ROOT, path)).isDirectory()) {
      return sourcesIn(path)
    }
    const isSource = /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)
    return isSource && !path.includes('/testing/') ? [path] : []
  })
}

/** What a file imports, at any time: paths from the root, and names of packages. */
export function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    ([, name]) => name ?? '',
  )
  return names.map((name) =>
    name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(path), name)) : name,
  )
}
