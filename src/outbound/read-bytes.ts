/** The bytes of a body; null if there are more than this, and then the rest is not received. */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > bytesMax) {
      // Leaving the loop destroys the stream, and with it the connection.
      return null
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
