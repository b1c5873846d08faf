import { basename } from 'node:path'
import type { ImportSummary } from '@standing/sdk'
import { UserError } from '../../../src/lib/user-error.ts'
import type { Terminal } from '../command.ts'
import { fetchOf, type HttpFetch } from '../http/fetch.ts'
import { jsonOf } from '../http/json.ts'
import { textLinesOf } from '../text-lines.ts'

export interface ImportSettings {
  readonly file: string
  readonly url: string
  readonly operatorKey: string
  readonly isDryRun: boolean
  readonly name?: string | undefined
  readonly agent?: string | undefined
  readonly by?: string | undefined
}

/** A part takes some seconds: a break costs no more than to send it again. */
const PART_LINES = 10_000

/**
 * Sends a file to the service, a part at a time. A dry run is one part, because its scores follow from
 * all of the lines.
 *
 * @throws UserError when the file cannot be read or the service refuses the import
 */
export async function importFile(
  settings: ImportSettings,
  terminal: Pick<Terminal, 'env' | 'stderr'>,
): Promise<ImportSummary> {
  const name = settings.name ?? nameOf(settings.file)
  let total = nothingOf(name, settings.isDryRun)
  let part: string[] = []
  let firstLine = 1
  const flush = async () => {
    total = sum(total, await sendPart({ ...settings, name }, part, firstLine, fetchOf(terminal)))
    firstLine += part.length
    part = []
    terminal.stderr.write(`${total.lines} lines, ${total.imported} imported\n`)
  }
  for await (const line of textLinesOf(settings.file)) {
    part.push(line)
    if (part.length >= PART_LINES && !settings.isDryRun) {
      await flush()
    }
  }
  if (part.length > 0) {
    await flush()
  }
  return total
}

async function sendPart(
  { url, operatorKey, isDryRun, name, agent, by }: ImportSettings & { readonly name: string },
  lines: readonly string[],
  firstLine: number,
  fetch: HttpFetch,
): Promise<ImportSummary> {
  const query = new URLSearchParams({
    name,
    firstLine: String(firstLine),
    ...(isDryRun ? { dryRun: 'true' } : {}),
    ...(agent ? { agent } : {}),
    ...(by ? { by } : {}),
  })
  const { ok, status, answer } = await fetch(`${url}/v1/operator/imports?${query}`, {
    method: 'POST',
    headers: { 'x-api-key': operatorKey, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
    .then(async ({ ok, status, text }) => ({ ok, status, answer: answerOf(await text()) }))
    .catch((error: Error) => {
      throw new UserError(`${url} cannot be reached (${error.message}). Run the command again.`)
    })
  if (!ok || answer === null) {
    throw new UserError(`The import was refused: ${answer?.error?.message ?? `status ${status}`}`)
  }
  return answer
}

function answerOf(text: string) {
  return jsonOf(text) as (ImportSummary & { readonly error?: { message: string } }) | null
}

/** The longest name of a past that the service takes. */
const NAME_MAX = 64

function nameOf(file: string): string {
  return basename(file)
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, NAME_MAX)
}

function nothingOf(name: string, dryRun: boolean): ImportSummary {
  const counts = { lines: 0, imported: 0, quarantined: 0, alreadyImported: 0, refused: 0 }
  return { name, dryRun, ...counts, errors: [], agents: [] }
}

function sum(a: ImportSummary, b: ImportSummary): ImportSummary {
  const scores = new Map([...a.agents, ...b.agents].map((agent) => [agent.agentId, agent]))
  return {
    ...a,
    lines: a.lines + b.lines,
    imported: a.imported + b.imported,
    quarantined: a.quarantined + b.quarantined,
    alreadyImported: a.alreadyImported + b.alreadyImported,
    refused: a.refused + b.refused,
    errors: [...a.errors, ...b.errors],
    agents: [...scores.values()],
  }
}
