// Joins the declarations of the sources into one file: what `index.d.ts` exports, and what that names.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * @param ts the compiler's own module
 * @param index the `index.d.ts` that it wrote, with those of the other sources
 */
export async function bundleTypes(ts, index) {
  const declarations = new Map()
  const isPublic = new Set(await read(index))
  const used = new Set()
  for (const name of isPublic) {
    use(name)
  }
  const texts = [...used].map((name) => declarations.get(name).text)
  // Without it every declaration of the file would count as exported.
  return [...new Set(texts), 'export {}\n'].join('')

  /** Takes the declarations of a file and of those it imports. Answers the names it exports. */
  async function read(path, done = new Map()) {
    if (done.has(path)) {
      return done.get(path)
    }
    const names = []
    done.set(path, names)
    const source = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest)
    for (const statement of source.statements) {
      const from = statement.moduleSpecifier?.text
      const inner = from && (await read(join(dirname(path), from.replace(/ts$/, 'd.ts')), done))
      if (ts.isExportDeclaration(statement)) {
        names.push(...reexported(statement, inner))
      } else if (!ts.isImportDeclaration(statement)) {
        names.push(...declare(source, statement))
      }
    }
    return names
  }

  function reexported({ exportClause }, inner = []) {
    return exportClause === undefined ? inner : exportClause.elements.map(({ name }) => name.text)
  }

  function declare(source, statement) {
    const nodes = statement.declarationList?.declarations ?? [statement]
    const exported = statement.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    const one = { source, statement, exported, text: '' }
    for (const { name } of nodes) {
      // The file has one scope: two names that differ by their source file only must be changed.
      if (declarations.has(name.text)) {
        throw new Error(`two declarations are named ${name.text}`)
      }
      declarations.set(name.text, one)
    }
    return exported ? nodes.map(({ name }) => name.text) : []
  }

  function use(name) {
    const one = declarations.get(name)
    if (one === undefined || used.has(name)) {
      return
    }
    used.add(name)
    one.text ||= textOf(one, isPublic.has(name))
    const visit = (node) => {
      if (ts.isIdentifier(node)) {
        use(node.text)
      }
      ts.forEachChild(node, visit)
    }
    visit(one.statement)
  }

  /** The statement with its comment, exported or not, and with tabs: a fifth of the size. */
  function textOf({ source, statement, exported }, isExported) {
    const keyword = (exported ?? statement).getStart(source)
    const comment = source.text.slice(statement.pos, keyword)
    const rest = source.text.slice(keyword, statement.end).replace(/^export\s+/, '')
    const text = `${comment}${isExported ? 'export ' : ''}${rest}`.trim()
    return `${text}\n`.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
  }
}
