import { type Command, type Option, optionsOf } from './command.ts'
import { SECTIONS } from './commands.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { helpTextOf, usageOf } from './help.ts'

const INTRODUCTION = `# The command

\`standing\` is the command for the service. In the folder of a checkout, run it with \`npx standing\` after
\`npm ci\`. In any other folder, npx would search the registry for a package of that name. Use
\`node /path/to/standing/scripts/standing.mjs\` there, which works in every folder. If the packages are installed,
\`standing\` is in the path. This page is generated from the table of commands by \`npm run docs:cli\`.

\`\`\`sh
npx standing --help             # every command
npx standing score get --help   # one of them
npx standing --version
alias standing="node $PWD/scripts/standing.mjs"   # the same in every folder of this shell
\`\`\`

## Address and credentials

Commands that call a service read its address from \`--url\`, then \`STANDING_URL\`, \`STANDING_BASE_URL\` and the
address of the last \`standing login\`. The default is \`http://127.0.0.1:8080\`, or the port in \`PORT\` if it is
set.

| credential | option | variable | stored by |
|---|---|---|---|
| an owner's token or key | \`--token\` | \`STANDING_TOKEN\` | \`standing login EMAIL\`, or \`login --key avw_…\` |
| a platform's or an agent's key | \`--key\` | \`STANDING_API_KEY\` | \`standing login --key avp_…\` or \`avs_…\` |
| the operator's key | \`--operator-key\` | \`STANDING_OPERATOR_KEY\` | \`standing login --key avo_…\` |

A credential stored by \`standing login\` is sent only to the address that it was stored for. There, each row of the
table has one: an agent's key replaces the stored key of a platform, and the other way round. \`standing whoami\`
shows which credentials are used, and whether they are valid. A variable that begins with \`STANDING_\` and resembles
one of these variables or a setting of the service is an error, because it is probably misspelt.

Requests use the proxy in \`HTTPS_PROXY\` (\`HTTP_PROXY\` for an http address), except for the hosts in \`NO_PROXY\`
and for loopback addresses. \`NODE_EXTRA_CA_CERTS\` is a file of additional certificates to trust.

## Output

The result is written to standard output. Progress, hints and errors are written to standard error. With \`--json\`
the result is JSON: one object, or one object per line for a list, as it arrives. The field names are those of the schemas in
\`/openapi.json\` and are as stable as the API: fields are added, not renamed. Errors then have the form
\`{ "error": { "code", "message", "details" } }\`.

Colours are used on a terminal, unless \`NO_COLOR\` is set. A command whose effect is permanent asks on a terminal, and
needs \`--yes\` elsewhere. The exception is \`operator revoke\`, which programs run without \`--yes\`.

## Completion

\`\`\`sh
source <(standing completion bash)                                          # bash, in ~/.bashrc
standing completion zsh > ~/.zfunc/_standing                                # zsh, a folder of $fpath
standing completion fish > ~/.config/fish/completions/standing.fish         # fish
\`\`\`
`

/** The text of docs/cli.md. */
export function commandsPage(): string {
  return [
    INTRODUCTION,
    '## Exit codes\n',
    '| code | meaning |',
    '|---|---|',
    ...EXIT_CODES.map(({ code, meaning }) => `| ${code} | ${meaning}. |`),
    '',
    '## Commands\n',
    ...SECTIONS.map(
      ({ title, commands }) =>
        `**${title}:** ${commands.map(({ name }) => `[${name}](#${anchorOf(name)})`).join(', ')}\n`,
    ),
    ...SECTIONS.flatMap(({ commands }) => commands.map(sectionOf)),
  ].join('\n')
}

function anchorOf(name: string): string {
  return `standing-${name.replaceAll(' ', '-')}`
}

function sectionOf(command: Command): string {
  const { name, alias, summary, details, json, example } = command
  return [
    `### standing ${name}\n`,
    `\`${usageOf(command)}\``,
    ...(alias === undefined ? [] : [`, also \`standing ${alias}\``]),
    `\n\n${summary}.\n`,
    ...(details === undefined ? [] : [`\n\`\`\`text\n${details}\n\`\`\`\n`]),
    ...tableOf(optionsOf(command)),
    ...(json === null ? [] : [`\n\`--json\`: ${json}.\n`]),
    `\n\`\`\`sh\n${example}\n\`\`\`\n`,
  ].join('')
}

function tableOf(options: readonly Option[]): readonly string[] {
  if (options.length === 0) {
    return []
  }
  return [
    '\n| option | | variable |\n|---|---|---|\n',
    ...options.map((option) => {
      const { name, value, env = [] } = option
      const typed = value === undefined ? `--${name}` : `--${name} ${cell(value)}`
      const variables = env.map((one) => `\`${one}\``).join(', ')
      return `| \`${typed}\` | ${cell(helpTextOf(option))} | ${variables} |\n`
    }),
  ]
}

/** A bar would begin another cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
