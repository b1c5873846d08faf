type Cell = string | number

/** Prints a table with a title, its columns as wide as they need to be. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): void {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const print = (line: readonly string[], fill = ' ') =>
    `${line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0, fill))
      .join('  ')
      .trimEnd()}\n`
  const rule = print(
    head.map(() => ''),
    '-',
  )
  const [first = [], ...rest] = lines
  process.stdout.write(
    `\n${title}\n\n${print(first)}${rule}${rest.map((line) => print(line)).join('')}`,
  )
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.01 ? 3 : 1)} %`
}
