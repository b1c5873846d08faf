import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { commandIn } from '../../test/support/command.ts'
import { SHELLS } from './choices.ts'
import { optionsOf } from './command.ts'
import { COMMANDS } from './commands.ts'
import { commandsPage } from './commands-page.ts'
import { COMPLETIONS } from './completion.ts'

const typed = commandIn({})

/** The commands that people and scripts rely on. */
const PROMISED = `serve demo doctor login whoami
  agent create|list|get|update|rotate|deactivate|export|erase
  score get|explain|history|replay|diff
  event tail|send|import
  review list|get|release|uphold
  platform create|list|rotate|suspend
  owner list|set-tier|invite|reset-link|suspend|activate
  operator create|list|rotate|revoke
  signing-key list|rotate|revoke|halt|resume|reissue
  credential issue|list|get|verify|revoke
  policy list|set|delete|test
  simulate replay
  webhook listen|test|create|list|delete
  watch add|list|remove
  mapping list|get|set|delete|test
  backup restore
  database status|url
  verify mcp completion contract`
  .split('\n')
  .flatMap((line) => {
    const words = line.trim().split(' ')
    const [noun, verbs = ''] = words
    return verbs.includes('|') ? verbs.split('|').map((verb) => `${noun} ${verb}`) : words
  })

test('every documented command is in the table, once', () => {
  const names = COMMANDS.map(({ name }) => name)
  expect(PROMISED.filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

test('commands name their nouns in the singular', () => {
  const nouns = COMMANDS.flatMap(({ name }) =>
    name.includes(' ') ? [name.split(' ')[0] ?? ''] : [],
  )
  expect(nouns.length).toBeGreaterThan(50)
  expect(nouns.filter((noun) => noun.endsWith('s'))).toEqual([])
})

test.each([
  ['webhooks listen --help', 'webhook listen'],
  ['policies list --help', 'policy list'],
  ['help watches add', 'watch add'],
])('a noun may be in the plural: standing %s', async (line, name) => {
  expect((await typed(line)).out).toBe((await typed(`${name} --help`)).out)
})

describe.each(COMMANDS.map((command) => [command.name, command] as const))(
  '%s',
  (name, command) => {
    test('has a handler, help with its options and an example that begins with it', async () => {
      if (name !== 'serve') {
        expect(await command.load()).toBeTypeOf('function')
      }
      const { code, out } = await typed(`${name} --help`)
      expect(code).toBe(0)
      expect(out).toMatch(new RegExp(`Example:\n  .*standing ${name}`))
      for (const option of optionsOf(command)) {
        expect(out).toContain(`--${option.name}`)
        for (const variable of option.env ?? []) {
          expect(out).toContain(`$${variable}`)
        }
      }
      expect((await typed(`help ${name}`)).out).toBe(out)
    })

    test('refuses an unknown option and suggests the closest one', async () => {
      const [first] = optionsOf(command).filter(({ name: option }) => option.length > 4)
      if (first) {
        const { code, said } = await typed(`${name} --${first.name}x`)
        expect(code).toBe(2)
        expect(said).toContain(`Did you mean --${first.name}?`)
      }
      expect(await typed(`${name} --nonsense`)).toMatchObject({ code: 2 })
    })
  },
)

test('standing without a command lists all commands, and --version prints the version', async () => {
  for (const line of ['', '--help', '-h', 'help']) {
    const { code, out } = await typed(line)
    expect(code).toBe(0)
    for (const { name } of COMMANDS) {
      expect(out).toContain(`standing ${name}`)
    }
  }
  for (const line of ['--version', '-v', '-V']) {
    expect(await typed(line)).toMatchObject({ code: 0, out: VERSION })
  }
})

test.each([
  ['scor get', 'score'],
  ['score gte', 'score get'],
  ['score rplay', 'score replay'],
  ['platfrom list', 'platform'],
  ['webhook lissten', 'webhook listen'],
  ['bakup', 'backup'],
])('standing %s suggests the closest command: %s', async (line, meant) => {
  const { code, said } = await typed(line)
  expect(code).toBe(2)
  expect(said).toContain(
    `Unknown command: ${line.startsWith('scor ') || line.startsWith('platfrom') ? line.split(' ')[0] : line}`,
  )
  expect(said).toContain(`Did you mean: standing ${meant}`)
})

test('a noun alone lists its commands; an unknown word points to the list of all commands', async () => {
  expect(await typed('score')).toMatchObject({
    code: 2,
    said: expect.stringMatching(/score explain/),
  })
  expect((await typed('score --help')).out).toMatch(/score replay[\s\S]*score diff/)
  expect(await typed('frobnicate')).toMatchObject({
    code: 2,
    said: expect.stringMatching(/^Unknown command: frobnicate\nAll commands: standing --help/),
  })
})

test('every command refuses a misspelt setting by name', async () => {
  const { code, said } = await typed('score get x', { STANDING_OPERATER_KEY: 'avo_x' })
  expect(code).toBe(1)
  expect(said).toContain(
    'STANDING_OPERATER_KEY is not a setting. Did you mean STANDING_OPERATOR_KEY?',
  )
})

test('with --json an error is printed as JSON too', async () => {
  const { code, said } = await typed('score get x --url http://127.0.0.1:9 --json')
  expect(code).toBe(3)
  expect(JSON.parse(said)).toMatchObject({ error: { code: 'NETWORK_ERROR' } })
  const usage = await typed('signing-key revoke x --json', {
    STANDING_OPERATOR_KEY: `avo_${'0'.repeat(32)}`,
  })
  expect(usage.code).toBe(2)
  expect(JSON.parse(usage.said)).toMatchObject({ error: { code: 'INVALID_CALL' } })
})

test('docs/cli.md is generated from the table', async () => {
  expect(await readFile('docs/cli.md', 'utf8')).toBe(commandsPage())
})

interface Shell {
  readonly args: readonly string[]
  readonly prelude: string
  /** Prints what is offered after these words. */
  offer(words: readonly string[]): string
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ')

const RUNNERS: Readonly<Record<(typeof SHELLS)[number], Shell>> = {
  bash: {
    args: ['-c'],
    prelude: '',
    offer: (words) => `COMP_WORDS=(standing ${quoted(words)})
COMP_CWORD=${words.length}
_standing
printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  zsh: {
    args: ['-f', '-c'],
    // What zsh has only during interactive input.
    prelude: 'compdef() { :; }; _files() { :; }; compadd() { shift; print -l -- "$@"; }',
    offer: (words) => `words=(standing ${quoted(words)}); CURRENT=${words.length + 1}
_standing`,
  },
  fish: {
    args: ['--no-config', '-c'],
    prelude: '',
    offer: (words) => `complete -C 'standing ${words.join(' ')}'`,
  },
}

const CASE_END = '@@@'

/** What a shell offers after each of these words, sorted; one shell for all, as it takes a while to start. */
function offered(
  name: (typeof SHELLS)[number],
  cases: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const { args, prelude, offer } = RUNNERS[name]
  const asked = cases.map((words) => `${offer(words)}\necho '${CASE_END}'`)
  const script = [prelude, COMPLETIONS[name](COMMANDS), ...asked].join('\n')
  const out = execFileSync(name, [...args, script], { encoding: 'utf8' }).split(`${CASE_END}\n`)
  return cases.map((words, i) =>
    (out[i] ?? '')
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '')
      // zsh narrows them later to what begins like the last word.
      .filter((word) => word.startsWith(words.at(-1) ?? ''))
      .sort(),
  )
}

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

describe('completion', () => {
  test.for(SHELLS)('in %s offers the words that can follow', (shell, { skip }) => {
    if (!hasShell(shell)) {
      skip(`${shell} is not installed here`)
    }
    const cases = [
      [['sc'], ['score']],
      [
        ['score', ''],
        ['diff', 'explain', 'get', 'history', 'replay'],
      ],
      [['score', 'get', '--j'], ['--json']],
      [['score', 'get', 'some-id', '--a'], ['--at']],
      [['platform', 'create', 'x', '--tier', 'g'], ['growth']],
      [['owner', 'set-tier', 'ada@example.com', 'pl'], ['platform']],
      [['completion', ''], expect.arrayContaining(['bash', 'fish', 'zsh'])],
      [['agent', 'create', 'x', '--te'], ['--test']],
      [['imp'], ['import']],
    ] as const
    const words = cases.map(([typedSoFar]) => typedSoFar)
    expect(offered(shell, words)).toEqual(cases.map(([, expected]) => expected))
  })

  test.each(SHELLS)('for %s names every command and option', async (shell) => {
    const { code, out } = await typed(`completion ${shell}`)
    expect(code).toBe(0)
    for (const command of COMMANDS) {
      for (const word of command.name.split(' ')) {
        expect(out).toContain(word)
      }
      for (const { name } of optionsOf(command)) {
        expect(out).toContain(name)
      }
    }
  })

  test('for an unknown shell lists the known ones', async () => {
    expect(await typed('completion powershell')).toMatchObject({
      code: 2,
      said: expect.stringContaining('bash, zsh, fish'),
    })
  })
})
