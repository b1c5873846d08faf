import { type FileHandle, open } from 'node:fs/promises'
import { createBatcher } from '../../src/lib/batcher.ts'

/** Appends to a file of JSON lines that survives the loss of power. */
export interface SyncedLines {
  /** Resolves when the entries are on the disk. Those that come while it is busy share a sync. */
  append(entries: readonly object[]): Promise<void>
  close(): Promise<void>
}

interface Waiting {
  readonly lines: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export async function openSyncedLines(path: string): Promise<SyncedLines> {
  const file = await open(path, 'a')
  const waiting: Waiting[] = []
  const { wake, idle } = createBatcher({
    hasWaiting: () => waiting.length > 0,
    flush: () => write(file, waiting.splice(0)),
  })
  return {
    append(entries) {
      if (entries.length === 0) {
        return Promise.resolve()
      }
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
      return new Promise((resolve, reject) => {
        waiting.push({ lines, resolve, reject })
        wake()
      })
    },
    async close() {
      await idle()
      await file.close()
    },
  }
}

async function write(file: FileHandle, batch: readonly Waiting[]): Promise<void> {
  try {
    await file.appendFile(batch.map(({ lines }) => lines).join(''))
    await file.datasync()
    for (const { resolve } of batch) {
      resolve()
    }
  } catch (error) {
    for (const { reject } of batch) {
      reject(error)
    }
  }
}
