import { readFile, writeFile } from 'node:fs/promises'
import { commandsPage } from '../cli/src/page.ts'

/** Writes docs/cli.md from the table of commands; with --check, says whether the one there is theirs. */
const FILE = 'docs/cli.md'
const text = commandsPage()

if (process.argv.includes('--check')) {
  const there = await readFile(FILE, 'utf8').catch(() => '')
  if (there !== text) {
    process.stderr.write(`${FILE} does not match the commands. Run: npm run docs:cli\n`)
    process.exit(1)
  }
} else {
  await writeFile(FILE, text)
  process.stdout.write(`${FILE} written\n`)
}
