/** The bytes of bodies that are in memory, of all requests. */
export interface BodyBuffer {
  /** Whether no further body may be read. */
  isFull(): boolean
  /** Counts bytes that were read; a negative number frees bytes that are no longer needed. */
  add(bytes: number): void
}

/** As many bodies of the largest size as requests that may be in progress and wait. */
const BYTES_MAX = 64 * 1024 * 1024

/**
 * A body is read before there is room for its request, so that slow senders take none. They still take
 * memory, as much as they have sent: beyond this bound requests are refused before they are read.
 */
export function createBodyBuffer(bytesMax = BYTES_MAX): BodyBuffer {
  let bytes = 0
  return {
    isFull: () => bytes >= bytesMax,
    add(more) {
      bytes += more
    },
  }
}
