import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { simulate } from '../run.ts'
import { DEFAULT_SETTINGS } from '../settings.ts'
import type { Answer, Settings } from '../simulator.ts'

export interface RunOptions {
  readonly settings?: Partial<Settings>
  readonly json?: boolean
  readonly skipsBadLines?: boolean
}

export interface Run {
  /** What was written, without the line end. */
  readonly output: string
  readonly warnings: readonly string[]
  readonly skipped: number
}

/** Simulates lines, given as text or as the objects that they hold. */
export async function run(
  lines: Iterable<string | object>,
  { settings = {}, json = true, skipsBadLines = false }: RunOptions = {},
): Promise<Run> {
  const output: string[] = []
  const warnings: string[] = []
  const skipped = await simulate({
    file: '-',
    stdin: Readable.from(textOf(lines), { objectMode: false }),
    settings: { ...DEFAULT_SETTINGS, ...settings },
    json,
    skipsBadLines,
    say: (text) => void output.push(text),
    warn: (line) => void warnings.push(line),
  })
  return { output: output.join('\n'), warnings, skipped }
}

/** Lines that are written at a time, as a file is read in chunks. */
const CHUNK_LINES = 1_000

async function* textOf(lines: Iterable<string | object>): AsyncGenerator<Buffer> {
  let chunk: string[] = []
  for (const line of lines) {
    chunk.push(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    if (chunk.length === CHUNK_LINES) {
      yield Buffer.from(chunk.join(''))
      chunk = []
      await setImmediate()
    }
  }
  yield Buffer.from(chunk.join(''))
}

/** The answers to the lines that ask. */
export async function answersTo(
  lines: Iterable<string | object>,
  options: RunOptions = {},
): Promise<readonly Answer[]> {
  const { output } = await run(lines, options)
  return output === '' ? [] : output.split('\n').map((line) => JSON.parse(line) as Answer)
}

/** The last answer. */
export async function answerTo(
  lines: Iterable<string | object>,
  options: RunOptions = {},
): Promise<Answer> {
  const answer = (await answersTo(lines, options)).at(-1)
  if (!answer) {
    throw new Error('nothing was asked')
  }
  return answer
}

/** Why a simulation ended. */
export async function errorOf(lines: Iterable<string | object>): Promise<string> {
  try {
    await run(lines)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('expected to end with an error')
}

const START = Date.UTC(2026, 0, 1)

/** A time this many days, hours and minutes after the beginning of 2026. */
export function at(days: number, hours = 0, minutes = 0): string {
  return new Date(START + ((days * 24 + hours) * 60 + minutes) * 60_000).toISOString()
}

/** This many days of good work of an agent, one task a day from each platform. */
export function goodWork(
  agent: string,
  platforms: readonly string[],
  days: number,
  from = 0,
): readonly object[] {
  return Array.from({ length: days }, (_, day) =>
    platforms.map((by, i) => ({
      at: at(from + day, 6 + i),
      agent,
      by,
      type: 'task.completed',
    })),
  ).flat()
}

/** Platforms that the operator verified. */
export function verified(...names: readonly string[]): readonly object[] {
  return names.map((platform) => ({ platform, owner: null, verified: true }))
}
