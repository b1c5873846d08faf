import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DashboardFiles } from '../pages/dashboard.ts'

/** As npm links the workspace: found from the sources and from every place that a bundle lies in. */
const INDEX = '@standing/dashboard/dist/index.html'

/** The dashboard as it was built; null where it was not. */
export async function readDashboard(): Promise<DashboardFiles | null> {
  const index = indexPath()
  if (index === null) {
    return null
  }
  const home = dirname(index)
  const entries = await readdir(home, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(home.length + 1)
        .replaceAll('\\', '/'),
    )
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(home, path))] as const)),
  )
}

function indexPath(): string | null {
  try {
    return createRequire(import.meta.url).resolve(INDEX)
  } catch {
    return null
  }
}
