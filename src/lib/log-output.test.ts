import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { createLogOutput } from './log-output.ts'

/** Two ends of a connection. The reader reads nothing yet. */
async function connected() {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const writer = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [reader] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    writer.destroy()
    server.close()
  })
  return { writer, reader }
}

test('lines for a reader that has stopped are bounded, and those that were dropped are counted', async () => {
  const { writer, reader } = await connected()
  const output = createLogOutput(writer)
  const line = `${JSON.stringify({ msg: 'x'.repeat(100_000) })}\n`
  const written = 500
  for (let i = 0; i < written; i++) {
    output.write(line)
  }
  expect(writer.writableLength).toBeLessThan(2_000_000)
  const drained = once(writer, 'drain')
  const lines: { msg: string; lines?: number }[] = []
  createInterface({ input: reader }).on('line', (text) => lines.push(JSON.parse(text)))
  reader.resume()
  await drained
  output.write('{"msg":"last"}\n')
  writer.end()
  await once(reader, 'end')
  const lost = lines.at(-2)?.lines ?? 0
  expect(lines.at(-1)).toEqual({ msg: 'last' })
  expect(lost).toBeGreaterThan(0)
  expect(lines).toHaveLength(written - lost + 2)
})

test('lines that a file cannot take are counted in it once it can', () => {
  const folder = mkdtempSync(join(tmpdir(), 'standing-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'log')
  writeFileSync(path, '')
  const fd = openSync(path, 'r')
  const output = createLogOutput({ fd })
  output.write('{"msg":"first"}\n')
  output.write('{"msg":"second"}\n')
  closeSync(fd)
  // The lowest free number: that of the file that was closed.
  expect(openSync(path, 'a')).toBe(fd)
  onTestFinished(() => closeSync(fd))
  output.write('{"msg":"third"}\n')
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 40, lines: 2 }),
    { msg: 'third' },
  ])
})
