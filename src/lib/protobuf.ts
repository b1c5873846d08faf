/** Enough of the wire format of Protocol Buffers to read and write messages field by field. */

/** A field of a message: a varint or fixed number as a bigint, or bytes. */
export interface Field {
  readonly number: number
  readonly value: bigint | Uint8Array
}

export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
}

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

/** Which fields of a message are read. The others are skipped, which costs far less. */
export interface FieldFilter {
  readonly numbers: readonly number[]
  /** How many are read; the rest of the message is not looked at. */
  readonly max: number
  /** A message with more fields before that is refused. */
  readonly walkMax: number
}

/** The fields of a message in their order, all or those of a filter. @throws ProtobufError */
export function* fieldsOf(bytes: Uint8Array, filter: FieldFilter | null = null): Generator<Field> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let left = filter?.max ?? Number.POSITIVE_INFINITY
  let walk = filter?.walkMax ?? Number.POSITIVE_INFINITY
  const byte = (): number => {
    const next = bytes[at++]
    if (next === undefined) {
      throw new ProtobufError('ends within a number')
    }
    return next
  }
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const next = byte()
      value |= BigInt(next & 0x7f) << shift
      if (next < 0x80) {
        return BigInt.asUintN(64, value)
      }
    }
    throw new ProtobufError('has a number of more than ten bytes')
  }
  // Most are one byte, for which a bigint takes longer than all the rest.
  const small = (): number => {
    const next = bytes[at]
    if (next === undefined || next >= 0x80) {
      return Number(varint())
    }
    at++
    return next
  }
  const take = (length: number): number => {
    const start = at
    at += length
    if (at > bytes.byteLength) {
      throw new ProtobufError('ends within a field')
    }
    return start
  }
  while (at < bytes.byteLength && left > 0) {
    if (walk-- === 0) {
      throw new ProtobufError('has a message of too many fields')
    }
    const tag = small()
    const number = Math.floor(tag / 8)
    const isRead = filter === null || filter.numbers.includes(number)
    left -= isRead ? 1 : 0
    switch (tag % 8) {
      case VARINT:
        if (isRead) {
          yield { number, value: varint() }
        } else {
          small()
        }
        break
      case FIXED64: {
        const start = take(8)
        if (isRead) {
          yield { number, value: view.getBigUint64(start, true) }
        }
        break
      }
      case BYTES: {
        const length = small()
        const start = take(length)
        if (isRead) {
          yield { number, value: bytes.subarray(start, start + length) }
        }
        break
      }
      case FIXED32: {
        const start = take(4)
        if (isRead) {
          yield { number, value: BigInt(view.getUint32(start, true)) }
        }
        break
      }
      default:
        throw new ProtobufError(`has a field of the unknown wire type ${tag % 8}`)
    }
  }
}

/** A message of fields; numbers are written as varints, text as UTF-8. */
export function message(fields: readonly (readonly [number, number | string | Uint8Array])[]) {
  const parts = fields.flatMap(([number, value]) => {
    if (typeof value === 'number') {
      return [varintOf(number * 8 + VARINT), varintOf(value)]
    }
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
    return [varintOf(number * 8 + BYTES), varintOf(bytes.byteLength), bytes]
  })
  return new Uint8Array(Buffer.concat(parts))
}

function varintOf(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return new Uint8Array([...bytes, rest])
}
