/** Where the results of a measurement go: tables for a reader, a page of the documentation, rows for a program. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { STDOUT } from './options.ts'

export interface Results {
  /** Writes text for a reader, where it does not mix with the rows. */
  readonly say: (text: string) => void
  /** Writes the rows where `--json` says. */
  readonly finish: (rows: readonly object[]) => void
}

/** @param json the value of `--json`: a file, the standard output, or null for neither */
export function resultsTo(json: string | null): Results {
  const tables = json === STDOUT ? process.stderr : process.stdout
  return {
    say: (text) => tables.write(text),
    finish(rows) {
      if (json === STDOUT) {
        process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
      } else if (json !== null) {
        writeFileSync(json, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
      }
    },
  }
}

export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export interface Titled {
  readonly title: string
  readonly table: Table
}

/** As Markdown. */
export function markdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** As text for a terminal, its columns aligned. */
export function plain({ head, rows }: Table): string {
  const all = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('**', '')))
  const widths = head.map((_, i) => Math.max(...all.map((cells) => cells[i]?.length ?? 0)))
  return all
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->` in a page. */
export function writeSection(page: string, name: string, text: string): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const before = readFileSync(page, 'utf8')
  const from = before.indexOf(begin)
  const to = before.indexOf(end)
  if (from < 0 || to < from) {
    throw new Error(`${page} has no ${begin} … ${end}`)
  }
  const after = `${before.slice(0, from + begin.length)}\n${text}\n${before.slice(to)}`
  if (after !== before) {
    writeFileSync(page, after)
  }
}

interface Publication {
  /** The section of the page. */
  readonly section: string
  /** What was measured on, in words that stand above the table. */
  readonly about?: string
  readonly table: Table
  readonly rows?: readonly object[]
}

/** Says a table, writes it into a page if one was named, and its rows where `--json` says. */
export function publish(
  { page, json = null }: { readonly page: string | null; readonly json?: string | null },
  { section, about, table, rows = [] }: Publication,
): void {
  const { say, finish } = resultsTo(json)
  say(about === undefined ? `${plain(table)}\n` : `${about}\n${plain(table)}\n`)
  if (page !== null) {
    const text = markdown(table)
    writeSection(page, section, about === undefined ? text : `${about}.\n\n${text}`)
  }
  finish(rows)
}

/** The machine of a measurement. */
export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model ?? 'an unknown processor'}`
}

/** A figure below 1, as .713; undefined or not a number, as a dash. */
export function figure(x: number | undefined, digits = 3): string {
  if (x === undefined || Number.isNaN(x)) {
    return '–'
  }
  return x.toFixed(digits).replace(/^(-?)0\./, '$1.')
}

/** A share as a percentage, with more digits where it is small. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.01 ? 3 : 1)} %`
}
