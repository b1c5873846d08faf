// Files that are committed although they are generated from others.
import { readFile, writeFile } from 'node:fs/promises'

/** Writes one; with --check, only says whether the one that is there is current: exit code 1 if not. */
export async function writeOrCheck(file, text, { source, script }) {
  if (!process.argv.includes('--check')) {
    await writeFile(file, text)
    process.stdout.write(`${file} written\n`)
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${file} does not match ${source}. Run: npm run ${script}\n`)
    process.exitCode = 1
  }
}
