import { linesIn } from '../../../src/lib/text-lines.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { operatorKeyOf, operatorOf, type ServiceOptions, serviceUrl, tokenOf } from '../clients.ts'
import type { InputOf, Terminal } from '../command.ts'
import { fetchOf, textPiecesOf } from '../http/fetch.ts'
import { refusalOf, unanswered } from '../http/service-error.ts'
import type { ACCOUNT_OPTIONS, OPERATOR_OPTIONS } from '../options.ts'
import { ownerIdOf } from './owners.ts'

type Input = InputOf<typeof OPERATOR_OPTIONS>

export function exportAccount(
  { options }: InputOf<typeof ACCOUNT_OPTIONS>,
  terminal: Terminal,
): Promise<number> {
  const authorization = `Bearer ${tokenOf(terminal, options)}`
  return write(terminal, options, '/v1/auth/export', { authorization })
}

export async function exportOwner(
  { words: [owner = ''], options }: Input,
  terminal: Terminal,
): Promise<number> {
  const id = await ownerIdOf(operatorOf(terminal, options).operator, owner)
  const path = `/v1/operator/owners/${encodeURIComponent(id)}/export`
  return write(terminal, options, path, operatorHeaders(terminal, options))
}

export function exportAgent(
  { words: [id = ''], options }: Input,
  terminal: Terminal,
): Promise<number> {
  const path = `/v1/agents/${encodeURIComponent(id)}/export`
  return write(terminal, options, path, operatorHeaders(terminal, options))
}

function operatorHeaders(terminal: Terminal, options: ServiceOptions) {
  return { 'x-api-key': operatorKeyOf(terminal, options) }
}

/** Line by line as they come: an export may be larger than the memory. */
async function write(
  terminal: Terminal,
  options: ServiceOptions,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const url = `${serviceUrl(terminal, options)}${path}`
  const response = await fetchOf(terminal)(url, { headers }).catch((error: unknown) => {
    throw unanswered(url, error)
  })
  if (!response.ok) {
    throw refusalOf(response.status, await response.text())
  }
  const unfinished = () =>
    new UserError('The export ended in the middle of a line. Run the command again.')
  const lines = linesIn(textPiecesOf(response.body), Number.POSITIVE_INFINITY, unfinished)
  for await (const line of lines) {
    terminal.say(line)
  }
  return 0
}
