import { command } from '../command.ts'
import { URL_OPTION } from '../options.ts'

export const MCP_OPTIONS = [
  URL_OPTION,
  {
    name: 'key',
    value: 'KEY',
    help: 'the API key of an agent, a platform or an account, or an owner’s token',
    env: ['STANDING_API_KEY', 'STANDING_TOKEN'],
  },
] as const

export const CONTRACT_OPTIONS = [
  { name: 'only', value: 'TEXT', help: 'only rules whose section or words contain this' },
  {
    name: 'platform-key',
    value: 'avp_…',
    help: 'the API key of a platform, for the rules about its reports',
    env: ['STANDING_API_KEY'],
  },
] as const

export const TOOLS = [
  command({
    name: 'mcp',
    operands: [],
    summary: 'Serve the tools of a service to a model, by MCP over standard input and output',
    details:
      'For clients of the Model Context Protocol that start a program. Clients that connect to an address\n' +
      'use URL/mcp and need no command. The tools that only read scores need no key.',
    options: MCP_OPTIONS,
    json: null,
    example: 'standing mcp --url https://trust.example.com',
    load: async () => (await import('../commands/mcp.ts')).mcp,
  }),
  command({
    name: 'completion',
    operands: ['SHELL'],
    summary: 'Print a completion script: bash, zsh or fish',
    details:
      'bash: source <(standing completion bash), in ~/.bashrc\n' +
      'zsh:  standing completion zsh > ~/.zfunc/_standing, a folder of $fpath\n' +
      'fish: standing completion fish > ~/.config/fish/completions/standing.fish',
    options: [],
    json: null,
    example: 'standing completion bash',
    load: async () => (await import('../commands/completion.ts')).completion,
  }),
  command({
    name: 'contract',
    operands: ['URL'],
    summary:
      'Test any implementation against the rules of the interface, and print the differences',
    details:
      'The command uses HTTP only. It registers owners and agents, which stay in that service. Without the key\n' +
      'of a platform, the rules about its reports are not tested. The exit code is 1 if a rule is not followed.',
    options: CONTRACT_OPTIONS,
    json: '{ section, rule, outcome, expected, got } a line, then { url, follows, differs, skipped }',
    example: 'standing contract https://trust.example.com --platform-key avp_…',
    load: async () => (await import('../commands/contract.ts')).contract,
  }),
]
