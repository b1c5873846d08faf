import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DashboardFiles } from '../pages/dashboard.ts'
import { pathOf } from './checkout.ts'

/** As npm links the workspace: found from the sources and from every place that a bundle lies in. */
const INDEX = '@standing/dashboard/dist/index.html'

/** How often it is read again where another start, which builds it, has removed a file meanwhile. */
const TRIES_MAX = 5

/** The dashboard as it was built; null where it was not. */
export async function readDashboard(): Promise<DashboardFiles | null> {
  const index = pathOf(INDEX)
  if (index === null) {
    return null
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await readFiles(dirname(index))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === TRIES_MAX) {
        throw error
      }
    }
  }
}

/** All files of a directory by their paths, except for what begins with a dot: what is being written. */
export async function readFiles(home: string): Promise<DashboardFiles> {
  const names = (await readdir(home)).filter((name) => !name.startsWith('.'))
  const paths = await Promise.all(names.map((name) => filesAt(home, name)))
  return new Map(
    await Promise.all(
      paths.flat().map(async (path) => [path, await readFile(join(home, path))] as const),
    ),
  )
}

async function filesAt(home: string, name: string): Promise<readonly string[]> {
  const path = join(home, name)
  if ((await stat(path)).isFile()) {
    return [name]
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(home.length + 1)
        .replaceAll('\\', '/'),
    )
}
