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

/** The memory of the last writer that ended. Allocating it again would cost more than the writing. */
let spare: Memory | null = null

interface Memory {
  readonly bytes: Uint8Array
  readonly view: DataView
}

function memoryOf(bytes: Uint8Array): Memory {
  return { bytes, view: new DataView(bytes.buffer) }
}

/** One ends with `bytes`, and is not written to after it. */
export function byteWriter(): ByteWriter {
  let memory = spare ?? memoryOf(new Uint8Array(2_048))
  spare = null
  let length = 0
  function place(size: number): number {
    const at = length
    length += size
    if (length > memory.bytes.length) {
      const larger = new Uint8Array(2 * length)
      larger.set(memory.bytes)
      memory = memoryOf(larger)
    }
    return at
  }
  const writer: ByteWriter = {
    u8(value) {
      const at = place(1)
      memory.view.setUint8(at, value)
    },
    u32(value) {
      const at = place(4)
      memory.view.setUint32(at, value)
    },
    i32(value) {
      const at = place(4)
      memory.view.setInt32(at, value)
    },
    f32(value) {
      const at = place(4)
      memory.view.setFloat32(at, value)
    },
    f64(value) {
      const at = place(8)
      memory.view.setFloat64(at, value)
    },
    text(value) {
      if (isUuid(value)) {
        writer.u8(IS_UUID)
        const at = place(UUID_BYTES)
        writeUuid(memory.bytes, at, value)
        return
      }
      if (value.length >= IS_UUID) {
        throw new Error(`a text of ${value.length} characters is longer than 254`)
      }
      writer.u8(value.length)
      for (let i = 0; i < value.length; i++) {
        const at = place(2)
        memory.view.setUint16(at, value.charCodeAt(i))
      }
    },
    bytes() {
      spare = memory
      return memory.bytes.slice(0, length)
    },
  }
  return writer
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
