import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { writeBody } from './spool.ts'

async function fileAt(path: string) {
  const file = await open(path, 'w')
  onTestFinished(() => file.close())
  return file
}

test('where the disk has no space for an import, the refusal says so', async () => {
  const body = Readable.from([Buffer.from('{}')])
  await expect(writeBody(await fileAt('/dev/full'), body)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    details: { reason: 'disk_full' },
  })
})

test('an import whose connection ends early is to be sent again', async () => {
  const body = Readable.from(
    (async function* () {
      yield Buffer.from('{}')
      throw new Error('aborted')
    })(),
  )
  await expect(writeBody(await fileAt('/dev/null'), body)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})
