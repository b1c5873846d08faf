import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GuideFiles } from '../pages/docs/guides.ts'
import { checkoutPath } from './checkout.ts'

/** The guides of `docs/` with their pictures, and the README; none where the checkout is not there. */
export async function readGuides(): Promise<GuideFiles> {
  const root = checkoutPath()
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
