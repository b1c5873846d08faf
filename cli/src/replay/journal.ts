import { type FileHandle, open } from 'node:fs/promises'

export interface JournalEntry {
  readonly externalId: string
  /** The event's, as the service named it. */
  readonly id: string
}

/**
 * What the service has acknowledged, as JSON lines on disk before anything more is asked of it.
 * Entries that come while the disk is busy are written together and share a sync.
 */
export class Journal {
  readonly #file: FileHandle
  #lines = ''
  #writing: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  static async open(path: string): Promise<Journal> {
    return new Journal(await open(path, 'a'))
  }

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Resolves when the entries are on disk. */
  append(entries: readonly JournalEntry[]): Promise<void> {
    if (entries.length === 0) {
      return Promise.resolve()
    }
    this.#lines += entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    this.#next ??= this.#writing.then(() => this.#write())
    return this.#next
  }

  async close(): Promise<void> {
    await this.#next
    await this.#writing
    await this.#file.close()
  }

  #write(): Promise<void> {
    const lines = this.#lines
    this.#lines = ''
    this.#next = undefined
    this.#writing = this.#file.appendFile(lines).then(() => this.#file.datasync())
    return this.#writing
  }
}
