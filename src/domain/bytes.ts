/** Numbers and short texts as bytes, big-endian, written and read in the same order. */
import { isUuid, UUID_BYTES, writeUuid } from './uuid.ts'

/** The digits of each byte. */
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

/** In place of a text's length: 16 bytes of a UUID follow. */
const IS_UUID = 255

export interface ByteWriter {
  u8(value: number): void
  u32(value: number): void
  i32(value: number): void
  f32(value: number): void
  f64(value: number): void
  /** A UUID in 17 bytes, another text in two for each of at most 254 UTF-16 units, and one. */
  text(value: string): void
  bytes(): Uint8Array
}

/** What is being written, in memory that grows to the longest so far. To allocate it would cost more than the writing. */
let memory = new Uint8Array(2_048)
let view = new DataView(memory.buffer)
let length = 0

function place(size: number): number {
  const at = length
  length += size
  if (length > memory.length) {
    const larger = new Uint8Array(2 * length)
    larger.set(memory)
    memory = larger
    view = new DataView(memory.buffer)
  }
  return at
}

const WRITER: ByteWriter = {
  u8(value) {
    const at = place(1)
    view.setUint8(at, value)
  },
  u32(value) {
    const at = place(4)
    view.setUint32(at, value)
  },
  i32(value) {
    const at = place(4)
    view.setInt32(at, value)
  },
  f32(value) {
    const at = place(4)
    view.setFloat32(at, value)
  },
  f64(value) {
    const at = place(8)
    view.setFloat64(at, value)
  },
  text(value) {
    if (isUuid(value)) {
      WRITER.u8(IS_UUID)
      const at = place(UUID_BYTES)
      writeUuid(memory, at, value)
      return
    }
    if (value.length >= IS_UUID) {
      throw new Error(`a text of ${value.length} characters is longer than 254`)
    }
    WRITER.u8(value.length)
    const at = place(2 * value.length)
    for (let i = 0; i < value.length; i++) {
      view.setUint16(at + 2 * i, value.charCodeAt(i))
    }
  },
  bytes: () => memory.slice(0, length),
}

/** Begins to write. There is one writer: what it wrote before is to have been taken with `bytes`. */
export function byteWriter(): ByteWriter {
  length = 0
  return WRITER
}

export interface ByteReader {
  u8(): number
  u32(): number
  i32(): number
  f32(): number
  f64(): number
  text(): string
}

/** Throws a RangeError beyond the last byte. */
export function byteReader(bytes: Uint8Array): ByteReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  function next(size: number): number {
    at += size
    return at - size
  }
  const reader: ByteReader = {
    u8: () => view.getUint8(next(1)),
    u32: () => view.getUint32(next(4)),
    i32: () => view.getInt32(next(4)),
    f32: () => view.getFloat32(next(4)),
    f64: () => view.getFloat64(next(8)),
    text() {
      const length = reader.u8()
      if (length !== IS_UUID) {
        let text = ''
        for (let i = 0; i < length; i++) {
          text += String.fromCharCode(view.getUint16(next(2)))
        }
        return text
      }
      const two = () => (HEX[reader.u8()] as string) + (HEX[reader.u8()] as string)
      return `${two()}${two()}-${two()}-${two()}-${two()}-${two()}${two()}${two()}`
    },
  }
  return reader
}

export function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i])
}
