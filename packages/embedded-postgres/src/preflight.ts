import { prepareBinaries, versionOf } from './binaries.ts'
import { findBinaries } from './find-binaries.ts'
import { clusterVersion } from './initialise.ts'
import { pathsIn } from './paths.ts'
import { chooseUser } from './user.ts'

/** What a start would use. */
export interface Preflight {
  /** The path of the `postgres` program. */
  readonly postgres: string
  readonly version: string
  /** The user that PostgreSQL runs as. */
  readonly uid: number
  /** The major version that wrote the data; null when there is none yet. */
  readonly dataVersion: string | null
}

/**
 * Checks what a start would use, without starting anything. Binaries that the server's user cannot run
 * where they are installed are copied, as a start would copy them. @throws EmbeddedError as a start does
 */
export async function preflight(dataDir: string, name?: string): Promise<Preflight> {
  const paths = pathsIn(dataDir, name)
  const native = findBinaries()
  const user = await chooseUser(paths)
  const { postgres } = await prepareBinaries(native, paths, user, () => {})
  const dataVersion = (await clusterVersion(paths)) ?? null
  return { postgres, version: await versionOf(native), uid: user.uid, dataVersion }
}
