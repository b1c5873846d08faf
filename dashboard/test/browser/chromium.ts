import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'

const run = promisify(execFile)

/** The browser of the package is for x64 Linux; CHROMIUM names another one elsewhere. */
const { CHROMIUM } = process.env

/** The version of @sparticuz/chromium, so that another one is unpacked beside it. */
const VERSION = '143.0.4'

/** A browser from npm alone: its libraries and a font come with it. Works as root and as anyone else. */
export async function openBrowser(): Promise<Browser> {
  // The package's own arguments switch web security off, which would hide what the policy refuses.
  const args = ['--no-sandbox']
  if (CHROMIUM) {
    return chromium.launch({ executablePath: CHROMIUM, args })
  }
  const home = await unpacked()
  const env = { ...process.env, LD_LIBRARY_PATH: join(home, 'al2023/lib'), ...fontsOf(home) }
  return chromium.launch({ executablePath: join(home, 'chromium'), args, env: defined(env) })
}

/** The folder that holds the browser, unpacked once for each user of this machine. */
async function unpacked(): Promise<string> {
  const home = join(tmpdir(), `standing-chromium-${VERSION}-${process.getuid?.() ?? 0}`)
  if (existsSync(home)) {
    return home
  }
  const draft = await mkdtemp(`${home}.`)
  await unpackTo(draft)
  await writeFile(join(draft, 'fonts.conf'), fontsConf(home))
  // Whole or not at all: another run may be looking for it.
  await rename(draft, home).catch(() => rm(draft, { recursive: true }))
  return home
}

/** The package unpacks to the folder for temporary files, and its libraries only where AWS runs it. */
async function unpackTo(folder: string): Promise<void> {
  const code = "(await import('@sparticuz/chromium')).default.executablePath()"
  await run(process.execPath, ['--input-type=module', '--eval', `await ${code}`], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  })
}

/** A machine without a font configuration has no fonts either: the one of the package is used. */
function fontsOf(home: string): Readonly<Record<string, string>> {
  const isConfigured = existsSync('/etc/fonts/fonts.conf')
  return isConfigured ? {} : { FONTCONFIG_FILE: join(home, 'fonts.conf') }
}

function fontsConf(home: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>${join(home, 'fonts')}</dir>
  <cachedir>${join(home, 'fonts-cache')}</cachedir>
</fontconfig>
`
}

function defined(env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => !!entry[1])
  return Object.fromEntries(entries)
}
