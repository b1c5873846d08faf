import { UserError } from '../../../src/lib/user-error.ts'
import { defineCommand, type Terminal } from '../command.ts'
import { OPERATOR_OPTIONS, operatorKeyOf, operatorOf } from '../operator.ts'
import { ownerIdOf } from '../owner.ts'
import { serviceUrl } from '../service-url.ts'

type Options = Parameters<typeof operatorOf>[1] & { readonly url?: string }

export const ownerExport = defineCommand({
  name: 'owner export',
  operands: ['EMAIL|ID'],
  summary: 'Write everything about an account and its agents, as JSON lines',
  options: OPERATOR_OPTIONS,
  example: 'standing owner export ada@example.com > ada.jsonl',
  async run({ words: [owner = ''], options }, terminal) {
    const id = await ownerIdOf(operatorOf(terminal, options).operator, owner)
    return write(terminal, options, `/v1/operator/owners/${encodeURIComponent(id)}/export`)
  },
})

export const agentExport = defineCommand({
  name: 'agent export',
  operands: ['ID'],
  summary: 'Write everything about an agent, as JSON lines',
  options: OPERATOR_OPTIONS,
  example: 'standing agent export 01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e > agent.jsonl',
  run: ({ words: [id = ''], options }, terminal) =>
    write(terminal, options, `/v1/agents/${encodeURIComponent(id)}/export`),
})

/** Line by line as they come: an export may be larger than the memory. */
async function write(terminal: Terminal, options: Options, path: string): Promise<number> {
  const url = `${serviceUrl(terminal, options)}${path}`
  const headers = { 'x-api-key': operatorKeyOf(terminal, options) }
  const response = await fetch(url, { headers }).catch((error: Error) => {
    throw new UserError(`The service does not answer at ${url}: ${error.message}`)
  })
  if (!response.ok || !response.body) {
    const { error } = (await response.json()) as { error?: { message?: string } }
    throw new UserError(`The export was refused: ${error?.message ?? `status ${response.status}`}.`)
  }
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      terminal.say(line)
    }
  }
  if (rest !== '') {
    throw new UserError('The export ended in the middle of a line. Run the command again.')
  }
  return 0
}
