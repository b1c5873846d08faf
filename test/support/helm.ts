import { readFileSync } from 'node:fs'
import { stringify } from 'yaml'

type Values = Readonly<Record<string, unknown>>

/**
 * Renders a template of the chart: the part of Helm's language that the chart uses. Anything else in
 * braces is an error, so the chart cannot grow beyond what the tests render.
 */
export function rendered(file: string, values: Values): string {
  return expand(readFileSync(file, 'utf8'), { Values: values, Release: { Name: 'standing' } })
}

/** One without another in it: the innermost is rendered first. */
const BLOCK =
  /[ \t]*\{\{- (if|range) ([^}]+?) \}\}\n((?:(?!\{\{- (?:if|range) )[\s\S])*?)[ \t]*\{\{- end \}\}\n/

function expand(text: string, scope: Values): string {
  const [all, word, what = '', body = ''] = BLOCK.exec(text) ?? []
  if (all === undefined) {
    return text.replaceAll(
      /(\n[ \t]*)?\{\{-? ([^}]+?) \}\}/g,
      (_, before = '', expression: string) => {
        const value = textOf(expression, scope)
        return value.startsWith('\n') ? value : `${before}${value}`
      },
    )
  }
  const made = word === 'if' ? when(what, body, scope) : each(what, body, scope)
  return expand(
    text.replace(all, () => made),
    scope,
  )
}

function when(what: string, body: string, scope: Values): string {
  return lookUp(what, scope) ? body : ''
}

function each(what: string, body: string, scope: Values): string {
  const [, name = '', value = '', path = ''] = /^(\$\w+), (\$\w+) := (\S+)$/.exec(what) ?? []
  return Object.entries(lookUp(path, scope) as Values)
    .map(([key, one]) => expand(body, { ...scope, [name]: key, [value]: one }))
    .join('')
}

function textOf(expression: string, scope: Values): string {
  const toYaml = /^toYaml (\S+) \| nindent (\d+)$/.exec(expression)
  if (toYaml) {
    const indent = ' '.repeat(Number(toYaml[2]))
    const lines = stringify(lookUp(toYaml[1] ?? '', scope))
      .trimEnd()
      .split('\n')
    return lines.map((line) => `\n${indent}${line}`).join('')
  }
  const [, path = '', quoted] = /^(\S+?)( \| quote)?$/.exec(expression) ?? []
  const value = String(lookUp(path, scope))
  return quoted ? JSON.stringify(value) : value
}

function lookUp(path: string, scope: Values): unknown {
  const names = path.startsWith('$') ? [path] : path.slice(1).split('.')
  let found: unknown = scope
  for (const name of names) {
    found = (found as Values | undefined)?.[name]
  }
  if (found === undefined) {
    throw new Error(`the chart has no value for ${path}`)
  }
  return found
}
