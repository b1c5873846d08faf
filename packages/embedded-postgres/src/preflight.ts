import { prepareBinaries, versionOf } from './binaries.ts'
import { findNative } from './find.ts'
import { clusterVersion } from './initialise.ts'
import { placeIn } from './paths.ts'
import { chooseUser } from './user.ts'

/** What a start would work with. */
export interface Survey {
  readonly binaries: string
  readonly version: string
  /** The user that PostgreSQL runs as. */
  readonly uid: number
  /** The major version that wrote the data; null where there is none yet. */
  readonly dataVersion: string | null
}

/**
 * Finds out what a start would find, without starting anything; binaries that this user cannot run
 * where they lie are copied to where a start would copy them. Throws EmbeddedError as a start would.
 */
export async function survey(dataDir: string): Promise<Survey> {
  const place = placeIn(dataDir)
  const native = findNative()
  const user = await chooseUser(place)
  const { postgres } = await prepareBinaries(native, place, user, () => {})
  const dataVersion = (await clusterVersion(place)) ?? null
  return { binaries: postgres, version: await versionOf(native), uid: user.uid, dataVersion }
}
