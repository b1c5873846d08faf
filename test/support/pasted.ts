import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** A script that readers paste, as its page prints it. */
export interface Block {
  readonly guide: string
  readonly code: string
}

export interface Answer {
  /** The exit code of its last command; `none` where it did not end. */
  readonly code: string
  readonly said: string
}

/** The shell blocks of a page, in order. */
export function blocksOf(guide: string): readonly Block[] {
  const text = readFileSync(join(ROOT, guide), 'utf8')
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code = '']) => ({ guide, code }))
}

/** The command of this checkout in place of what npx would look for. */
export const NPX = `npx() { shift; node '${ROOT}/scripts/standing.mjs' "$@"; }`

/**
 * Pastes scripts into one shell, one after the other; null leaves one out. What each of them answers, by
 * its place.
 */
export async function paste(
  home: string,
  shell: string,
  scripts: readonly (string | null)[],
  env: Readonly<Record<string, string>> = {},
): Promise<(place: number) => Answer> {
  const pasted = scripts.map((script, i) =>
    script === null ? '' : `echo "@@@ ${i}"\n${script}\necho; echo "@@@ ended $?"\n`,
  )
  await writeFile(join(home, 'pasted.sh'), `${shell}\n${pasted.join('')}`)
  const options = {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
    maxBuffer: 64 * 1024 ** 2,
  }
  const out = await new Promise<string>((done) => {
    execFile('bash', ['pasted.sh'], options, (_, stdout) => done(stdout))
  })
  const answers = new Map<number, Answer>()
  for (const [, place, said = '', code = ''] of out.matchAll(
    /^@@@ (\d+)\n(.*?)^@@@ ended (\d+)$/gms,
  )) {
    answers.set(Number(place), { code, said })
  }
  return (place) => answers.get(place) ?? { code: 'none', said: '' }
}
