import { readFile, writeFile } from 'node:fs/promises'
import { rulesPage } from '../src/fraud/page.ts'

/** Writes docs/fraud-rules.md from the rules; with --check, says whether the one there is theirs. */
const FILE = 'docs/fraud-rules.md'
const text = rulesPage()

if (process.argv.includes('--check')) {
  const there = await readFile(FILE, 'utf8').catch(() => '')
  if (there !== text) {
    process.stderr.write(`${FILE} does not match the rules. Run: npm run docs:rules\n`)
    process.exit(1)
  }
} else {
  await writeFile(FILE, text)
  process.stdout.write(`${FILE} written\n`)
}
