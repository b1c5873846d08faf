import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'

const compress = promisify(deflate)

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])

/** Eight bits for each of red, green and blue, no interlacing. */
const TRUECOLOUR = [8, 2, 0, 0, 0]

/** A picture of three bytes a pixel as a PNG. */
export async function encodePng(pixels: Uint8Array, width: number): Promise<Uint8Array> {
  const height = pixels.length / 3 / width
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(TRUECOLOUR, 8)
  const data = await compress(withFilters(pixels, width * 3))
  const chunks = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([SIGNATURE, ...chunks])
}

/** Each row begins with its filter: none, as plain areas are what the picture is made of. */
function withFilters(pixels: Uint8Array, rowBytes: number): Uint8Array {
  const rows = pixels.length / rowBytes
  const filtered = new Uint8Array(rows * (rowBytes + 1))
  for (let row = 0; row < rows; row++) {
    filtered.set(pixels.subarray(row * rowBytes, (row + 1) * rowBytes), row * (rowBytes + 1) + 1)
  }
  return filtered
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
