/** A comment, a text in one of the three kinds of quotes, or the end of a statement. */
const TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;/g

/** The statements of a script, one by one: Citus passes each change of a table on as it was sent. */
export function statementsIn(script: string): readonly string[] {
  const statements: string[] = []
  let from = 0
  for (const { 0: token, index } of script.matchAll(TOKENS)) {
    if (token === ';') {
      statements.push(script.slice(from, index))
      from = index + 1
    }
  }
  return [...statements, script.slice(from)].map((one) => one.trim()).filter(hasText)
}

function hasText(statement: string): boolean {
  return (
    statement.replaceAll(TOKENS, (token) => (/^(--|\/\*)/.test(token) ? '' : token)).trim() !== ''
  )
}
