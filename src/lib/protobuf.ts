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
  const reader = createReader(bytes)
  let left = filter?.max ?? Number.POSITIVE_INFINITY
  let walk = filter?.walkMax ?? Number.POSITIVE_INFINITY
  while (!reader.isAtEnd() && left > 0) {
    if (walk-- === 0) {
      throw new ProtobufError('has a message of too many fields')
    }
    const tag = reader.small()
    const number = Math.floor(tag / 8)
    if (filter === null || filter.numbers.includes(number)) {
      left--
      yield { number, value: valueIn(reader, tag % 8) }
    } else {
      skipValueIn(reader, tag % 8)
    }
  }
}

function valueIn(reader: Reader, wireType: number): Field['value'] {
  switch (wireType) {
    case VARINT:
      return reader.varint()
    case FIXED64:
      return reader.view.getBigUint64(reader.take(8), true)
    case BYTES: {
      const length = reader.small()
      const start = reader.take(length)
      return reader.bytes.subarray(start, start + length)
    }
    case FIXED32:
      return BigInt(reader.view.getUint32(reader.take(4), true))
    default:
      throw unknownType(wireType)
  }
}

function skipValueIn(reader: Reader, wireType: number): void {
  switch (wireType) {
    case VARINT:
      reader.small()
      return
    case FIXED64:
      reader.take(8)
      return
    case BYTES:
      reader.take(reader.small())
      return
    case FIXED32:
      reader.take(4)
      return
    default:
      throw unknownType(wireType)
  }
}

function unknownType(wireType: number): ProtobufError {
  return new ProtobufError(`has a field of the unknown wire type ${wireType}`)
}

interface Reader {
  readonly bytes: Uint8Array
  readonly view: DataView
  isAtEnd(): boolean
  varint(): bigint
  /** A varint as a number. Most are one byte, for which a bigint takes longer than all the rest. */
  small(): number
  /** Passes over so many bytes; where they begin. */
  take(length: number): number
}

function createReader(bytes: Uint8Array): Reader {
  let at = 0
  function varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const next = bytes[at++]
      if (next === undefined) {
        throw new ProtobufError('ends within a number')
      }
      value |= BigInt(next & 0x7f) << shift
      if (next < 0x80) {
        return BigInt.asUintN(64, value)
      }
    }
    throw new ProtobufError('has a number of more than ten bytes')
  }
  return {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    isAtEnd: () => at >= bytes.byteLength,
    varint,
    small() {
      const next = bytes[at]
      if (next === undefined || next >= 0x80) {
        return Number(varint())
      }
      at++
      return next
    },
    take(length) {
      const start = at
      at += length
      if (at > bytes.byteLength) {
        throw new ProtobufError('ends within a field')
      }
      return start
    },
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
