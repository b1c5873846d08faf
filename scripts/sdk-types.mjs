// Writes the SDK's wire types from openapi.json.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { writeOrCheck } from './generated.mjs'

const SOURCE = 'openapi.json'
const FILE = 'sdk/src/wire.ts'
/** Where the client names the schemas it uses, as `Schema<'Agent'>`. */
const TYPES = 'sdk/src'
const HEADER = `// Generated from ${SOURCE} by npm run sdk:types. Change the service's schemas, not this file.\n`

/** Not part of a type. A value that a type would repeat as `@example` or `@default` only adds weight. */
const DROPPED = new Set(['default', 'example', 'examples', 'format'])

const document = JSON.parse(await readFile(SOURCE, 'utf8'))
const schemas = used({
  ...document.components.schemas,
  ...queries(document.paths),
  Notifications: notifications(document.webhooks),
})
const nodes = await openapiTS(
  {
    openapi: document.openapi,
    info: document.info,
    components: { schemas: mapValues(schemas, plain) },
  },
  { immutable: true },
)
const text = format(HEADER + comments(astToString(nodes.filter(isComponents).map(allowUndefined))))

await writeOrCheck(FILE, text, { source: SOURCE, script: 'sdk:types' })

/** The query parameters of each operation that has some, as the schema `<operationId>Query`. */
function queries(paths) {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return Object.fromEntries(
    operations.flatMap(({ operationId, parameters = [] }) => {
      const inQuery = parameters.filter((parameter) => parameter.in === 'query')
      if (inQuery.length === 0) {
        return []
      }
      const properties = Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema]))
      const required = inQuery.filter((one) => one.required).map(({ name }) => name)
      return [[`${operationId}Query`, { type: 'object', properties, required }]]
    }),
  )
}

/** What a webhook delivers, by type. */
function notifications(webhooks) {
  const properties = mapValues(
    webhooks,
    ({ post }) => post.requestBody.content['application/json'].schema,
  )
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The schemas that the client's types name, and those that these name. */
function used(all) {
  const names = new Set()
  const add = (name) => {
    if (names.has(name)) {
      return
    }
    names.add(name)
    // One that is missing fails the compilation of the types, which says where it is named.
    for (const [, inner] of JSON.stringify(all[name] ?? {}).matchAll(/schemas\/(\w+)/g)) {
      add(inner)
    }
  }
  for (const [, name] of sources(TYPES).matchAll(/Schema<'(\w+)'>/g)) {
    add(name)
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))
}

function sources(folder) {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
  const written = files.filter((file) => file.endsWith('.ts') && file !== FILE)
  return written.map((file) => readFileSync(file, 'utf8')).join('\n')
}

/** A schema without what no type says. */
function plain(schema) {
  if (Array.isArray(schema)) {
    return schema.map(plain)
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema
  }
  const kept = Object.entries(schema).filter(([name]) => !DROPPED.has(name))
  return Object.fromEntries(
    // The names below `properties` are the fields' own, `format` and `default` among them.
    kept.map(([name, value]) => [
      name,
      name === 'properties' ? mapValues(value, plain) : plain(value),
    ]),
  )
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]))
}

function isComponents(node) {
  return ts.isInterfaceDeclaration(node) && node.name.text === 'components'
}

/** An optional field may also be given as undefined, even with `exactOptionalPropertyTypes`. */
function allowUndefined(root) {
  const visit = (node) => {
    const inner = ts.visitEachChild(node, visit, undefined)
    if (!ts.isPropertySignature(inner) || !inner.questionToken || !inner.type) {
      return inner
    }
    const none = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)
    const type = ts.factory.createUnionTypeNode([inner.type, none])
    const { modifiers, name, questionToken } = inner
    return ts.factory.updatePropertySignature(inner, modifiers, name, questionToken, type)
  }
  return ts.visitNode(root, visit)
}

/** A description needs no tag, and what an `enum` is shows in its type. */
function comments(text) {
  return text
    .replace(/^\s*\/\*\* @enum \{[^\n]*\n/gm, '')
    .replace(/^\s*\* @enum \{[^\n]*\n/gm, '')
    .replaceAll('@description ', '')
}

/** As Biome formats the rest of the repository. */
function format(text) {
  const biome = createRequire(import.meta.url).resolve('@biomejs/biome/bin/biome')
  const options = ['format', `--stdin-file-path=${FILE}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, ...options], {
    input: text,
    encoding: 'utf8',
  })
  if (status !== 0) {
    throw new Error(stderr)
  }
  return stdout
}
