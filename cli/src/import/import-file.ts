import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type ImportSummary, isTransient, StandingError } from '@standing/sdk'
import { createBoundedMap } from '../../../src/lib/bounded-map.ts'
import { pause } from '../../../src/lib/pause.ts'
import type { Terminal } from '../command.ts'
import { fetchOf, type HttpFetch, type HttpRequest } from '../http/fetch.ts'
import { jsonOf } from '../http/json.ts'
import { refusalOf, unanswered } from '../http/service-error.ts'
import { textLinesOf, textPiecesOf } from '../text-lines.ts'

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

/** Problems that are listed; the others are counted. As many as the service lists of a part. */
const ERRORS_MAX = 100

/** Agents whose scores are listed, the latest ones: some hundred bytes each. */
const AGENTS_MAX = 100_000

/** A connection can end without a word. A part takes some seconds, so this leaves room for a busy service. */
const PART_MS = 120_000

/** Before each further attempt, in ms. Together four minutes: a restart or a failover takes less. */
const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000] as const

export interface ImportTimes {
  /** Waits before a further attempt. */
  readonly wait?: (ms: number) => Promise<unknown>
  /** How long a part may take. */
  readonly partMs?: number
}

/**
 * Sends a file to the service, a part at a time; what an attempt brought is not counted twice by the
 * next. A dry run is one part, because its scores follow from all of the lines.
 *
 * @throws UserError when the file cannot be read, StandingError when the service refuses the import or is away
 */
export async function importFile(
  settings: ImportSettings,
  terminal: Pick<Terminal, 'env' | 'stderr'>,
  { wait = pause, partMs = PART_MS }: ImportTimes = {},
): Promise<ImportSummary> {
  const name = settings.name ?? nameOf(settings.file)
  const fetch = fetchOf(terminal)
  const send = (lines: () => Body, firstLine: number, signal?: AbortSignal) =>
    sendPart({ ...settings, name }, { lines, firstLine, signal }, fetch)
  if (settings.isDryRun) {
    return send(() => Readable.from(textPiecesOf(settings.file)), 1)
  }
  let total = nothingOf(name)
  const agents = createBoundedMap<string, AgentScore>(AGENTS_MAX)
  let part: string[] = []
  let firstLine = 1
  const flush = async () => {
    const lines = () => part.join('\n')
    const attempt = () => send(lines, firstLine, AbortSignal.timeout(partMs))
    const summary = await untilAnswered(attempt, terminal, wait)
    total = sum(total, summary)
    for (const agent of summary.agents) {
      agents.set(agent.agentId, agent)
    }
    firstLine += part.length
    part = []
    terminal.stderr.write(`${total.lines} lines, ${total.imported} imported\n`)
  }
  for await (const line of textLinesOf(settings.file)) {
    part.push(line)
    if (part.length >= PART_LINES) {
      await flush()
    }
  }
  if (part.length > 0) {
    await flush()
  }
  return { ...total, agents: [...agents].map(([, agent]) => agent) }
}

type AgentScore = ImportSummary['agents'][number]

/** Tries again what failed in passing. @throws StandingError when the last attempt failed, too */
async function untilAnswered(
  attempt: () => Promise<ImportSummary>,
  { stderr }: Pick<Terminal, 'stderr'>,
  wait: (ms: number) => Promise<unknown>,
): Promise<ImportSummary> {
  for (const ms of WAITS_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof StandingError && isTransient(error))) {
        throw error
      }
      stderr.write(`${error.message}; the same lines are sent again in ${ms / 1000} s\n`)
      await wait(ms)
    }
  }
  return attempt()
}

type Body = NonNullable<HttpRequest['body']>

interface Part {
  readonly lines: () => Body
  readonly firstLine: number
  readonly signal?: AbortSignal | undefined
}

async function sendPart(
  { url, operatorKey, isDryRun, name, agent, by }: ImportSettings & { readonly name: string },
  { lines, firstLine, signal }: Part,
  fetch: HttpFetch,
): Promise<ImportSummary> {
  const query = new URLSearchParams({
    name,
    firstLine: String(firstLine),
    ...(isDryRun ? { dryRun: 'true' } : {}),
    ...(agent ? { agent } : {}),
    ...(by ? { by } : {}),
  })
  try {
    const { ok, status, text } = await fetch(`${url}/v1/operator/imports?${query}`, {
      method: 'POST',
      headers: { 'x-api-key': operatorKey, 'content-type': 'application/x-ndjson' },
      body: lines(),
      ...(signal ? { signal } : {}),
    })
    const answer = await text()
    const summary = ok ? jsonOf(answer) : null
    if (summary === null) {
      throw refusalOf(status, answer)
    }
    return summary as ImportSummary
  } catch (error) {
    throw error instanceof StandingError ? error : unanswered(url, error)
  }
}

/** The longest name of a past that the service takes. */
const NAME_MAX = 64

function nameOf(file: string): string {
  return basename(file)
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, NAME_MAX)
}

function nothingOf(name: string): ImportSummary {
  const counts = { lines: 0, imported: 0, quarantined: 0, alreadyImported: 0, refused: 0 }
  return { name, dryRun: false, ...counts, errors: [], agents: [] }
}

/** All but the agents, which are joined by the caller. */
function sum(a: ImportSummary, b: ImportSummary): ImportSummary {
  return {
    ...a,
    lines: a.lines + b.lines,
    imported: a.imported + b.imported,
    quarantined: a.quarantined + b.quarantined,
    alreadyImported: a.alreadyImported + b.alreadyImported,
    refused: a.refused + b.refused,
    errors: [...a.errors, ...b.errors].slice(0, ERRORS_MAX),
  }
}
