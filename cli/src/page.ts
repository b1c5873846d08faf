import { type Command, type Option, optionsOf } from './command.ts'
import { SECTIONS } from './commands.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { usageOf } from './help.ts'

const INTRODUCTION = `# The command

\`standing\` runs the service and uses it. In the folder of the checkout \`npx standing\` runs it, after
\`npm ci\`. In any other folder npx would ask the registry for a package of that name: there
\`node /path/to/standing/scripts/standing.mjs\` runs it, and always works. An installation of the packages has it in its
path. This page is made from the table of commands by \`npm run docs:cli\`.

\`\`\`sh
npx standing --help             # every command
npx standing score get --help   # one of them
npx standing --version
alias standing="node $PWD/scripts/standing.mjs"   # the same in every folder of this shell
\`\`\`

## Address and credentials

Commands that call a service take its address from \`--url\`, then \`STANDING_URL\`, \`STANDING_BASE_URL\`, the address of the
last \`standing login\`, and last \`http://127.0.0.1:8080\` (the port in \`PORT\`, where it is set).

| credential | option | variable | stored by |
|---|---|---|---|
| an owner's token or key | \`--token\` | \`STANDING_TOKEN\` | \`standing login EMAIL\`, or \`login --key avw_…\` |
| a platform's or an agent's key | \`--key\` | \`STANDING_API_KEY\` | \`standing login --key avp_…\` |
| the operator's key | \`--operator-key\` | \`STANDING_OPERATOR_KEY\` | \`standing login --key avo_…\` |

What \`standing login\` stores is sent to the address that it was stored for and to no other. \`standing whoami\` shows which
credentials are used, and whether they work. A variable that begins with \`STANDING_\` and is spelt almost like one of these
or like a setting of the service is an error.

Requests go through the proxy in \`HTTPS_PROXY\` (\`HTTP_PROXY\` for an http address), but for the hosts in \`NO_PROXY\` and
for this machine. \`NODE_EXTRA_CA_CERTS\` names a file of certificates to trust beside the usual ones.

## Output

The result goes to standard output; progress, hints and errors go to standard error. With \`--json\` the result is JSON: one
object, or for a list one object a line, as it comes. The names are those of the schemas in \`/openapi.json\`, and are stable
as the API is: fields are added, not renamed. An error is then \`{ "error": { "code", "message", "details" } }\`.

Colours are shown on a terminal, and not where \`NO_COLOR\` is set.

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
    ...options.map(
      ({ name, value, help, env = [] }) =>
        `| \`--${name}${value === undefined ? '' : ` ${cell(value)}`}\` | ${cell(help)} | ${env.map((one) => `\`${one}\``).join(', ')} |\n`,
    ),
  ]
}

/** A bar would begin another cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
