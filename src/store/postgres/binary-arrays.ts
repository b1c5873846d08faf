import pg from 'pg'
import { UUID_BYTES, writeUuid } from '../../domain/uuid.ts'
import { memoized } from '../../lib/memoized.ts'
import type { RowsWrite, Value } from './rows.ts'

/**
 * The values of `arraysOf`, each array in the binary form of PostgreSQL. For an event with its snapshot, in a
 * batch of a hundred, it takes this process 3 instead of 5 µs, and the database 8 instead of 14.
 *
 * @throws Error where a value is not of its column's type: nothing was sent then
 */
export function binaryArraysOf({ text, columns, rest }: RowsWrite): unknown[] {
  const types = typesIn(text)
  return [...columns.map((values, i) => binaryArray(types[i], values)), ...rest]
}

/** A statement names the type of each array: `$1::uuid[]`. */
const typesIn = memoized((text): readonly ElementType[] => {
  const types: ElementType[] = []
  for (const [, number, name] of text.matchAll(/\$(\d+)::(\w+)\[\]/g)) {
    types[Number(number) - 1] = typeOf(name)
  }
  return types
})

function typeOf(name = ''): ElementType {
  const type = TYPES[name]
  if (type === undefined) {
    throw new Error(`no binary form of ${name}[]`)
  }
  return type
}

interface ElementType {
  readonly oid: number
  /** Writes the length of a value in bytes, and the bytes. */
  readonly write: (value: never) => void
}

const { builtins } = pg.types

/** By their names in a statement. */
const TYPES: Readonly<Record<string, ElementType>> = {
  uuid: { oid: builtins.UUID, write: writeId },
  text: { oid: builtins.TEXT, write: writeText },
  json: { oid: builtins.JSON, write: writeText },
  bytea: { oid: builtins.BYTEA, write: writeBytes },
  boolean: { oid: builtins.BOOL, write: writeBoolean },
  smallint: { oid: builtins.INT2, write: writeSmallint },
  int: { oid: builtins.INT4, write: writeInt },
  bigint: { oid: builtins.INT8, write: writeBigint },
  float8: { oid: builtins.FLOAT8, write: writeDouble },
}

/** The array that is being written. It grows to the largest one so far. */
let bytes = Buffer.allocUnsafe(65_536)
let length = 0

/** Where so many bytes are to be written. */
function place(size: number): number {
  const at = length
  length += size
  if (length > bytes.length) {
    const larger = Buffer.allocUnsafe(2 * length)
    bytes.copy(larger)
    bytes = larger
  }
  return at
}

/** In place of the length of a value. */
const NULL = -1

function binaryArray(type: ElementType | undefined, values: readonly Value[]): Buffer {
  if (type === undefined) {
    throw new Error('a column without a type in its statement')
  }
  length = 0
  // One dimension, whether a value is null, the type, the number of values, and that of the first one.
  writeInt32(1)
  writeInt32(values.some(isNull) ? 1 : 0)
  writeInt32(type.oid)
  writeInt32(values.length)
  writeInt32(1)
  let before: Value
  let beforeAt = 0
  // By index: lists of several kinds make a loop over their values allocate an object for each.
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    const at = length
    if (isNull(value)) {
      writeInt32(NULL)
    } else if (value === before && typeof value === 'string') {
      repeat(beforeAt)
    } else {
      type.write(value as never)
    }
    before = value
    beforeAt = at
  }
  return Buffer.from(bytes.subarray(0, length))
}

/** Writes the last value again: ids and types repeat, and to write one takes longer. */
function repeat(from: number): void {
  const to = length
  const at = place(to - from)
  bytes.copyWithin(at, from, to)
}

function isNull(value: Value): boolean {
  return value === null || value === undefined
}

function writeInt32(value: number): void {
  const at = place(4)
  bytes.writeInt32BE(value, at)
}

function writeId(value: string): void {
  writeInt32(UUID_BYTES)
  const at = place(UUID_BYTES)
  if (value.length !== 36 || !writeUuid(bytes, at, value)) {
    throw new Error(`not a UUID: ${value}`)
  }
}

/** UTF-8 takes three bytes at most for each unit of UTF-16. */
const UTF8_MAX = 3

function writeText(value: string): void {
  const lengthAt = place(4)
  const at = place(UTF8_MAX * value.length)
  const size = bytes.write(value, at)
  bytes.writeInt32BE(size, lengthAt)
  length = at + size
}

function writeBytes(value: Uint8Array): void {
  writeInt32(value.byteLength)
  const at = place(value.byteLength)
  bytes.set(value, at)
}

function writeBoolean(value: boolean): void {
  writeInt32(1)
  const at = place(1)
  bytes[at] = value ? 1 : 0
}

function writeSmallint(value: number): void {
  writeInt32(2)
  const at = place(2)
  bytes.writeInt16BE(integer(value), at)
}

function writeInt(value: number): void {
  writeInt32(4)
  writeInt32(integer(value))
}

/** As two numbers of 32 bits: a BigInt takes an object. */
function writeBigint(value: number): void {
  writeInt32(8)
  writeInt32(Math.floor(integer(value) / 2 ** 32))
  const at = place(4)
  bytes.writeUInt32BE(value >>> 0, at)
}

function writeDouble(value: number): void {
  writeInt32(8)
  const at = place(8)
  bytes.writeDoubleBE(value, at)
}

function integer(value: number): number {
  if (!Number.isSafeInteger(value)) {
    throw new Error(`not an integer: ${value}`)
  }
  return value
}
