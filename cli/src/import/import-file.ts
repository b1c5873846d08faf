import { basename } from 'node:path'
import { UserError } from '../../../src/lib/user-error.ts'
import type { ProgressStream } from '../command.ts'
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

/** What the service answers of one part, or of all of them together. */
export interface ImportTotal {
  readonly lines: number
  readonly imported: number
  readonly quarantined: number
  readonly alreadyImported: number
  readonly refused: number
  readonly errors: readonly {
    readonly line: number
    readonly code: string
    readonly message: string
  }[]
  readonly agents: readonly { readonly agentId: string; readonly score: number }[]
}

/** A part takes some seconds: a break costs no more than to send it again. */
const PART_LINES = 10_000

const NONE: ImportTotal = {
  lines: 0,
  imported: 0,
  quarantined: 0,
  alreadyImported: 0,
  refused: 0,
  errors: [],
  agents: [],
}

/**
 * Sends a file to the service, a part at a time. A dry run is one part, because its scores follow from
 * all of the lines.
 *
 * @throws UserError when the file cannot be read or the service refuses the import
 */
export async function importFile(
  settings: ImportSettings,
  progress: ProgressStream,
): Promise<ImportTotal> {
  let total = NONE
  let part: string[] = []
  let firstLine = 1
  const flush = async () => {
    total = sum(total, await sendPart(settings, part, firstLine))
    firstLine += part.length
    part = []
    progress.write(`${total.lines} lines, ${total.imported} imported\n`)
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
  { file, url, operatorKey, isDryRun, name, agent, by }: ImportSettings,
  lines: readonly string[],
  firstLine: number,
): Promise<ImportTotal> {
  const query = new URLSearchParams({
    name:
      name ??
      basename(file)
        .replaceAll(/[^\w.-]/g, '-')
        .slice(0, 64),
    firstLine: String(firstLine),
    ...(isDryRun ? { dryRun: 'true' } : {}),
    ...(agent ? { agent } : {}),
    ...(by ? { by } : {}),
  })
  const response = await fetch(`${url}/v1/operator/imports?${query}`, {
    method: 'POST',
    headers: { 'x-api-key': operatorKey, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  }).catch((error: Error) => {
    throw new UserError(`${url} cannot be reached (${error.message}). Run the command again.`)
  })
  const answer = (await response.json()) as ImportTotal & { readonly error?: { message: string } }
  if (!response.ok) {
    throw new UserError(`The import was refused: ${answer.error?.message ?? response.status}`)
  }
  return answer
}

function sum(a: ImportTotal, b: ImportTotal): ImportTotal {
  const scores = new Map([...a.agents, ...b.agents].map((agent) => [agent.agentId, agent]))
  return {
    lines: a.lines + b.lines,
    imported: a.imported + b.imported,
    quarantined: a.quarantined + b.quarantined,
    alreadyImported: a.alreadyImported + b.alreadyImported,
    refused: a.refused + b.refused,
    errors: [...a.errors, ...b.errors],
    agents: [...scores.values()],
  }
}
