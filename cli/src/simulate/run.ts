import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { UserError } from '../../../src/lib/user-error.ts'
import { type Line, LineError, type LineReader, parseLine } from './line.ts'
import { openInput, readLines } from './read-lines.ts'
import { type Answer, createSimulator, type Settings } from './simulator.ts'
import { answerRow, headOf, some, summaryOf } from './table.ts'

export interface SimulateOptions {
  /** A file of JSON lines; `-` for the standard input. */
  readonly file: string
  readonly stdin: Readable
  readonly settings: Settings
  /** Answers as JSON lines; as a table with a summary otherwise. */
  readonly json: boolean
  /** Leaves wrong lines out, instead of ending with the first. */
  readonly skipsBadLines: boolean
  /** Writes lines of the result. */
  readonly say: (lines: string) => void
  /** Writes a warning. */
  readonly warn: (line: string) => void
}

/** Warnings of one kind that are written. */
const WARNINGS_MAX = 20

/** Runs a simulation; how many lines were left out. @throws UserError that names the wrong line */
export async function simulate(options: SimulateOptions): Promise<number> {
  const { file, stdin, settings, json, skipsBadLines, say, warn } = options
  const name = file === '-' ? 'standard input' : basename(file)
  const simulator = createSimulator(settings)
  const reader = createOrderedReader((field, known) => {
    const fields = known.join(', ')
    warn(
      `${name}, line ${number}: the field ${field} means nothing and is ignored; there are ${fields}.`,
    )
  })
  const present = json ? (answer: Answer) => JSON.stringify(answer) : answerRow
  let output: string[] = []
  let answers = 0
  let number = 0
  let skipped = 0

  function run(text: string): void {
    number += 1
    if (!text.startsWith('{') && text.trim() === '') {
      return
    }
    try {
      const answer = simulator.next(reader.read(text, number))
      if (answer) {
        output.push(...(json || answers > 0 ? [] : [headOf()]), present(answer))
        answers += 1
      }
    } catch (error) {
      refuseLine(error)
    }
  }

  function refuseLine(error: unknown): void {
    if (!(error instanceof LineError)) {
      throw error
    }
    const message = `${name}, line ${number}: ${error.message}`
    if (!skipsBadLines) {
      throw new UserError(message)
    }
    skipped += 1
    if (skipped <= WARNINGS_MAX) {
      warn(message)
    }
  }

  /** Once for each chunk: a write for every answer would cost more than the answer. */
  function flush(): void {
    if (output.length > 0) {
      say(output.join('\n'))
      output = []
    }
  }

  try {
    for await (const lines of readLines(openInput(file, stdin), name)) {
      for (const line of lines) {
        run(line)
      }
      flush()
    }
  } finally {
    flush()
  }
  if (!json) {
    say(`\n${summaryOf(simulator)}`)
  }
  if (skipped > 0) {
    warn(`${name}: ${some(skipped, 'wrong line')} ${skipped === 1 ? 'was' : 'were'} left out.`)
  }
  return skipped
}

/** Reads lines, and sees to it that their times do not go back. */
function createOrderedReader(onUnknownField: LineReader['onUnknownField']) {
  const warned = new Set<string>()
  const reader: LineReader = {
    onUnknownField(field, known) {
      if (!warned.has(field) && warned.size < WARNINGS_MAX) {
        warned.add(field)
        onUnknownField(field, known)
      }
    },
  }
  let last = { at: 0, number: 0 }
  return {
    read(text: string, number: number): Line {
      const line = parseLine(text, reader)
      const { at } = line
      if (at === null) {
        return line
      }
      if (at < last.at) {
        const [own, before] = [at, last.at].map((time) => new Date(time).toISOString())
        throw new LineError(
          `its time, ${own}, is earlier than ${before} of line ${last.number}. Sort the lines by at.`,
        )
      }
      last = { at, number }
      return line
    },
  }
}
