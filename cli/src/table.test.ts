import { execFileSync, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { commandIn } from '../../test/support/command.ts'
import { optionsOf } from './command.ts'
import { COMMANDS } from './commands.ts'
import { COMPLETIONS } from './completion.ts'
import { commandsPage } from './page.ts'

const typed = commandIn({})

/** The commands that people and scripts rely on. */
const PROMISED = `serve demo doctor login whoami
  agent create|list|get|update|rotate|deactivate|export|erase
  score get|explain|history|replay|diff
  events tail|send|import
  reviews list|show|release|uphold
  platform create|list|rotate|suspend
  owner list|set-tier|invite|reset-link|suspend|activate
  operator create|list|rotate|revoke
  keys list|rotate|revoke|reissue
  credentials issue|list|get|verify|revoke
  policy list|set|delete|test
  simulate replay
  webhooks listen|test|create|list|delete
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
  ['webhooks lissten', 'webhooks listen'],
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
  const usage = await typed('keys revoke x --json', {
    STANDING_OPERATOR_KEY: `avo_${'0'.repeat(32)}`,
  })
  expect(usage.code).toBe(2)
  expect(JSON.parse(usage.said)).toMatchObject({ error: { code: 'INVALID_CALL' } })
})

test('docs/cli.md is generated from the table', async () => {
  expect(await readFile('docs/cli.md', 'utf8')).toBe(commandsPage())
})

/** How each shell runs its completion, with these words typed. */
const RUN: Readonly<Record<string, (words: readonly string[]) => string>> = {
  bash: (words) => `${COMPLETIONS.bash?.(COMMANDS)}
COMP_WORDS=(standing ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_standing
printf '%s\\n' "\${COMPREPLY[@]}"`,
  // What zsh has only during interactive input.
  zsh: (words) => `compdef() { :; }; _files() { :; }; compadd() { shift; print -l -- "$@"; }
${COMPLETIONS.zsh?.(COMMANDS)}
words=(standing ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}
_standing`,
  fish: (words) => `${COMPLETIONS.fish?.(COMMANDS)}
complete -C 'standing ${words.join(' ')}'`,
}

/** What a shell offers; those of zsh are not yet narrowed to what begins like the last word. */
function offered(words: readonly string[], shell = 'bash'): readonly string[] {
  const args = shell === 'fish' ? ['--no-config', '-c'] : shell === 'zsh' ? ['-f', '-c'] : ['-c']
  const out = execFileSync(shell, [...args, RUN[shell]?.(words) ?? ''], { encoding: 'utf8' })
  const all = out
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
  return all.filter((word) => word.startsWith(words.at(-1) ?? ''))
}

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

describe('completion', () => {
  test('in bash offers commands, their second words, options and values', () => {
    expect(offered(['sc'])).toEqual(['score'])
    expect(offered(['score', ''])).toEqual(['get', 'explain', 'history', 'replay', 'diff'])
    expect(offered(['score', 'get', '--j'])).toEqual(['--json'])
    expect(offered(['score', 'get', 'some-id', '--a'])).toEqual(['--at'])
    expect(offered(['platform', 'create', 'x', '--tier', 'g'])).toEqual(['growth'])
    expect(offered(['owner', 'set-tier', 'ada@example.com', 'pl'])).toEqual(['platform'])
    expect(offered(['completion', ''])).toContain('fish')
    expect(offered(['imp'])).toEqual(['import'])
  })

  test.for(['bash', 'zsh', 'fish'])('in %s offers the words that can follow', (shell, { skip }) => {
    if (!hasShell(shell)) {
      skip(`${shell} is not installed here`)
    }
    const sorted = (words: readonly string[]) => [...offered(words, shell)].sort()
    expect(sorted(['sc'])).toEqual(['score'])
    expect(sorted(['score', ''])).toEqual(['diff', 'explain', 'get', 'history', 'replay'])
    expect(sorted(['score', 'get', '--j'])).toEqual(['--json'])
    expect(sorted(['score', 'get', 'some-id', '--a'])).toEqual(['--at'])
    expect(sorted(['platform', 'create', 'x', '--tier', 'g'])).toEqual(['growth'])
    expect(sorted(['completion', ''])).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']))
    expect(sorted(['agent', 'create', 'x', '--te'])).toEqual(['--test'])
    expect(sorted(['imp'])).toEqual(['import'])
  })

  test.each(['bash', 'zsh', 'fish'])('for %s names every command and option', async (shell) => {
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
