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

/** The fields of a message in their order. @throws ProtobufError */
export function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) {
        throw new ProtobufError('ends within a number')
      }
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) {
        return BigInt.asUintN(64, value)
      }
    }
    throw new ProtobufError('has a number of more than ten bytes')
  }
  const take = (length: number): number => {
    const start = at
    at += length
    if (at > bytes.byteLength) {
      throw new ProtobufError('ends within a field')
    }
    return start
  }
  while (at < bytes.byteLength) {
    const tag = Number(varint())
    const number = Math.floor(tag / 8)
    switch (tag % 8) {
      case VARINT:
        yield { number, value: varint() }
        break
      case FIXED64:
        yield { number, value: view.getBigUint64(take(8), true) }
        break
      case BYTES: {
        const length = Number(varint())
        const start = take(length)
        yield { number, value: bytes.subarray(start, start + length) }
        break
      }
      case FIXED32:
        yield { number, value: BigInt(view.getUint32(take(4), true)) }
        break
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
