import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { GuideFiles } from '../pages/docs/guides.ts'

/** A file of a workspace, which npm links: found from the sources and from wherever a bundle lies. */
const MARK = '@standing/dashboard/package.json'

/** The guides of `docs/` with their pictures, and the README; none where the checkout is not there. */
export async function readGuides(): Promise<GuideFiles> {
  const root = rootPath()
  if (root === null) {
    return new Map()
  }
  const docs = await filesIn(join(root, 'docs'))
  const images = await filesIn(join(root, 'docs', 'img'))
  const paths = ['README.md', ...docs.map((name) => `docs/${name}`)].concat(
    images.map((name) => `docs/img/${name}`),
  )
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path))] as const)),
  )
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

function rootPath(): string | null {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(MARK)))
  } catch {
    return null
  }
}
