import { readFile, writeFile } from 'node:fs/promises'
import { describe } from '../src/api/describe.ts'

/** Writes openapi.json from the routes; with --check, says whether the one that is there is theirs. */
const FILE = 'openapi.json'
const text = `${JSON.stringify(describe(), null, 2)}\n`

if (process.argv.includes('--check')) {
  const there = await readFile(FILE, 'utf8').catch(() => '')
  if (there !== text) {
    process.stderr.write(`${FILE} does not match the routes. Run: npm run openapi\n`)
    process.exit(1)
  }
} else {
  await writeFile(FILE, text)
  process.stdout.write(`${FILE} written\n`)
}
