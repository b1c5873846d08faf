import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A file in the temporary directory, open for reading and writing, that has lost its name: the system frees
 * its space when it is closed, or when the process ends in any way.
 */
export async function openUnnamedFile(): Promise<FileHandle> {
  const directory = await mkdtemp(join(tmpdir(), 'standing-'))
  try {
    return await open(join(directory, 'unnamed'), 'w+', 0o600)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
