import { OPERAND_CHOICES, type SHELLS } from './choices.ts'
import { type Command, type Option, optionsOf } from './command.ts'

type Shell = (typeof SHELLS)[number]

/** The completion script of each shell, made from the table of commands. */
export const COMPLETIONS: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash,
  zsh,
  fish,
}

interface Entry {
  /** The words typed so far: `` , `score`, `score get`. */
  readonly after: string
  readonly words: readonly string[]
}

/** What may follow the words typed so far: the next word of a command, or its options. */
function entriesOf(commands: readonly Command[]): readonly Entry[] {
  const next = new Map<string, Set<string>>([['', new Set(['help', '--help', '--version'])]])
  const add = (after: string, words: readonly string[]) => {
    const all = next.get(after) ?? new Set()
    next.set(after, all)
    for (const word of words) {
      all.add(word)
    }
  }
  for (const command of commands) {
    for (const name of namesOf(command)) {
      const words = name.split(' ')
      for (const [i, word] of words.entries()) {
        add(words.slice(0, i).join(' '), [word])
      }
      add(name, [...flagsOf(command), ...operandWords(command)])
    }
  }
  return [...next].map(([after, words]) => ({ after, words: [...words] }))
}

function namesOf({ name, alias }: Command): readonly string[] {
  return alias === undefined ? [name] : [name, alias]
}

function flagsOf(command: Command): readonly string[] {
  return [...optionsOf(command).map(({ name }) => `--${name}`), '--help']
}

function operandWords({ operands }: Command): readonly string[] {
  return operands.flatMap((operand) => OPERAND_CHOICES[operand] ?? [])
}

/** Options with values that can be named. */
function choices(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const options: readonly Option[] = commands.flatMap(({ options }) => options)
  return new Map(
    options.flatMap(({ name, choices }) => (choices ? [[`--${name}`, choices] as const] : [])),
  )
}

/** The longest command that the words typed so far begin with decides. */
function bash(commands: readonly Command[]): string {
  const entries = entriesOf(commands)
  const values = [...choices(commands)]
  return `# Completion of the standing command for bash: source <(standing completion bash)
_standing() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  case "$prev" in
${values.map(([flag, words]) => `    ${flag}) COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur")); return ;;`).join('\n')}
  esac
  local typed='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) break ;; esac
    typed="\${typed:+$typed }\${COMP_WORDS[i]}"
  done
  while :; do
    case "$typed" in
${entries.map(({ after, words }) => `      '${after}') COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur")); return ;;`).join('\n')}
    esac
    case "$typed" in *' '*) typed=\${typed% *} ;; *) return ;; esac
  done
}
complete -o default -F _standing standing
`
}

/** zsh runs the completion of bash, with the words that it has. */
function zsh(commands: readonly Command[]): string {
  const entries = entriesOf(commands)
  const values = [...choices(commands)]
  return `#compdef standing
# Completion of the standing command for zsh: standing completion zsh > ~/.zfunc/_standing
_standing() {
  local typed='' i
  case "$words[CURRENT-1]" in
${values.map(([flag, words]) => `    ${flag}) compadd -- ${words.join(' ')}; return ;;`).join('\n')}
  esac
  for ((i = 2; i < CURRENT; i++)); do
    [[ "$words[i]" == -* ]] && break
    typed="\${typed:+$typed }$words[i]"
  done
  while :; do
    case "$typed" in
${entries.map(({ after, words }) => `      '${after}') compadd -- ${words.join(' ')}; _files; return ;;`).join('\n')}
    esac
    [[ "$typed" == *' '* ]] || { _files; return }
    typed="\${typed% *}"
  done
}
if [[ "$funcstack[1]" == _standing ]]; then _standing "$@"; else compdef _standing standing; fi
`
}

/** As in the other shells, with a description of each word. Files where a command takes one. */
function fish(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const line = (after: string, word: string) => {
    const meaning = meaningOf(commands, after, word)
    return quoted(meaning === undefined ? word : `${word}\t${meaning}`)
  }
  const entries = entriesOf(commands).map(({ after, words }) => {
    const files = takesFile(commands, after) ? '; __fish_complete_path (commandline -ct)' : ''
    const lines = words.map((word) => line(after, word)).join(' ')
    return `      case ${quoted(after)}\n        printf '%s\\n' ${lines}${files}; return`
  })
  const values = [...choices(commands)].map(
    ([flag, words]) => `    case ${flag}\n      printf '%s\\n' ${words.join(' ')}; return`,
  )
  return `# Completion of the standing command for fish: standing completion fish | source
function __standing_words
  set -l tokens (commandline -opc)
  set -l typed
  switch "$tokens[-1]"
${values.join('\n')}
  end
  for token in $tokens[2..-1]
    string match -q -- '-*' $token; and break
    set -a typed $token
  end
  while true
    switch "$typed"
${entries.join('\n')}
    end
    test (count $typed) -eq 0; and return
    set -e typed[-1]
  end
end
complete -c standing -f -a '(__standing_words)'
`
}

/** What a word is for: a command by its summary, an option by its help. */
function meaningOf(commands: readonly Command[], after: string, word: string): string | undefined {
  const named = (name: string) => commands.find((one) => namesOf(one).includes(name))
  if (!word.startsWith('--')) {
    return named(`${after} ${word}`.trim())?.summary
  }
  const command = named(after)
  return command && optionsOf(command).find(({ name }) => name === word.slice(2))?.help
}

function takesFile(commands: readonly Command[], after: string): boolean {
  const command = commands.find((one) => namesOf(one).includes(after))
  return command?.operands.some((operand) => /FILE|DIR/.test(operand)) ?? false
}
