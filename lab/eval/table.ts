type Cell = string | number

/** A table with a title, its columns as wide as they need to be. */
export function tableText(
  title: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  const text = (line: readonly string[], fill = ' ') =>
    `${line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0, fill))
      .join('  ')
      .trimEnd()}\n`
  const rule = text(
    head.map(() => ''),
    '-',
  )
  const [first = [], ...rest] = lines
  return `\n${title}\n\n${text(first)}${rule}${rest.map((line) => text(line)).join('')}`
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share !== 0 && Math.abs(share) < 0.01 ? 3 : 1)} %`
}
