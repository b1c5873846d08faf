// Writes the types and the operations of the Python client from openapi.json.
import { readFile } from 'node:fs/promises'
import { writeOrCheck } from './generated.mjs'

const SOURCE = 'openapi.json'
const FOLDER = 'clients/python/standing'
const HEADER = `# Generated from ${SOURCE} by npm run python:client. Change the service's schemas, not this file.\n`

/**
 * Operations that only ask a question. They may be repeated without an Idempotency-Key, for which the service would store
 * each response for a day.
 */
const QUESTIONS = new Set([
  'backtestPolicy',
  'decide',
  'evaluateAccess',
  'evaluateAccesses',
  'getScores',
  'lookUpMany',
  'tryMapping',
  'verifyCredential',
  'verifyCredentialById',
])

/** Words of Python that nothing may be called. */
const KEYWORDS = new Set([
  'from',
  'for',
  'in',
  'is',
  'not',
  'and',
  'or',
  'class',
  'def',
  'global',
  'import',
  'pass',
])

const document = JSON.parse(await readFile(SOURCE, 'utf8'))
const { schemas } = document.components

const from = { source: SOURCE, script: 'python:client' }
await writeOrCheck(`${FOLDER}/types.py`, typesModule(), from)
await writeOrCheck(`${FOLDER}/_operations.py`, operationsModule(), from)

function typesModule() {
  return `${HEADER}"""What the service takes and answers, as dictionaries with known keys."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

${Object.entries(schemas).map(typeOf).join('\n\n')}`
}

/** A schema with properties is a TypedDict, of which those that may be missing are a class of their own. */
function typeOf([name, schema]) {
  const shape = objectOf(schema)
  if (!shape) {
    // A name that is not yet defined may stand in quotes alone.
    return `${name} = ${hintOf(schema, { isQuoted: true })}\n`
  }
  const entries = Object.entries(shape.properties).filter(([key]) => /^[a-zA-Z_]\w*$/.test(key))
  const isRequired = ([key]) => shape.required.includes(key)
  const required = entries.filter(isRequired)
  const optional = entries.filter((entry) => !isRequired(entry))
  const fields = (all) =>
    all.map(
      ([key, one]) =>
        `    ${KEYWORDS.has(key) ? `# ${key} is a keyword of Python` : `${key}: ${hintOf(one)}`}`,
    )
  const about = schema.description ? `    """${oneLine(schema.description)}"""\n\n` : ''
  const classOf = (called, bases, all, text) =>
    `class ${called}(${bases}):\n${text}${[...fields(all), '    pass'].slice(0, Math.max(all.length, 1)).join('\n')}\n`
  if (optional.length === 0) {
    return classOf(name, 'TypedDict', required, about)
  }
  if (required.length === 0) {
    return classOf(name, 'TypedDict, total=False', optional, about)
  }
  const base = `_${name}Required`
  return `${classOf(base, 'TypedDict', required, '')}\n\n${classOf(name, `${base}, total=False`, optional, about)}`
}

function objectOf(schema) {
  if (schema.$ref) {
    return objectOf(schemas[schema.$ref.split('/').at(-1)])
  }
  if (schema.allOf) {
    const parts = schema.allOf.map(objectOf)
    return parts.every(Boolean)
      ? {
          properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
          required: parts.flatMap(({ required }) => required),
        }
      : undefined
  }
  const types = [schema.type].flat()
  return types.length === 1 && types[0] === 'object' && schema.properties
    ? { properties: schema.properties, required: schema.required ?? [] }
    : undefined
}

/** The type of a schema in an annotation. */
function hintOf(schema, { isQuoted = false } = {}) {
  const inner = (one) => hintOf(one, { isQuoted })
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
    return isQuoted ? `"${name}"` : name
  }
  const several = schema.oneOf ?? schema.anyOf
  if (several) {
    return union(several.map(inner))
  }
  if (schema.allOf) {
    return schema.allOf.length === 1 ? inner(schema.allOf[0]) : 'Dict[str, Any]'
  }
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null)
    const literal = `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
    return schema.enum.includes(null) ? `Optional[${literal}]` : literal
  }
  return union([schema.type ?? 'any'].flat().map((type) => plain(type, schema, inner)))
}

function plain(type, schema, inner) {
  switch (type) {
    case 'string':
      return 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'array':
      return `List[${schema.items ? inner(schema.items) : 'Any'}]`
    case 'object':
      return 'Dict[str, Any]'
    default:
      return 'Any'
  }
}

function union(all) {
  const hints = [...new Set(all)]
  if (hints.length === 1) {
    return hints[0]
  }
  const others = hints.filter((one) => one !== 'None')
  const together = others.length === 1 ? others[0] : `Union[${others.join(', ')}]`
  return hints.includes('None') ? `Optional[${together}]` : together
}

function operationsModule() {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const answer = answerOf(operation)
      return answer ? [methodOf(path, method.toUpperCase(), operation, answer)] : []
    }),
  )
  return `${HEADER}"""Every operation of the service, one method each."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Union, cast

from . import types
from ._transport import Transport


class Operations(Transport):
    """The operations by their ids in /openapi.json, in Python's spelling."""

${all.join('\n')}`
}

/** JSON, lines of JSON, or nothing; pictures, streams and other formats are for other clients. */
function answerOf({ operationId, responses }) {
  const [, success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  if (!operationId || !success) {
    return null
  }
  const content = success.content ?? {}
  if (Object.keys(content).length === 0) {
    return { hint: 'None', kind: 'none' }
  }
  if (content['application/x-ndjson']) {
    return { hint: 'str', kind: 'text' }
  }
  const { schema } = content['application/json'] ?? {}
  return schema && !content['application/x-protobuf']
    ? { hint: qualified(hintOf(schema)), kind: 'json' }
    : null
}

function methodOf(path, method, operation, { hint, kind }) {
  const { operationId, summary } = operation
  const inputs = inputsOf(operation)
  const given = [
    `"${method}"`,
    addressOf(path, inputs),
    `(${credentialsOf(operation)
      .map((one) => `"${one}", `)
      .join('')})`,
    ...requestOf(inputs),
    ...(kind === 'text' ? ['is_text=True'] : []),
  ]
  const call = `self._request(\n            ${given.join(',\n            ')},\n        )`
  return `    def ${snake(operationId)}(
        ${argumentsOf(inputs).join(',\n        ')},
    ) -> ${hint}:
        """${oneLine(summary)}."""
        ${kind === 'none' ? call : `return cast("${hint.replaceAll('"', "'")}", ${call})`}
`
}

/** What an operation takes. The body is JSON, or lines of JSON as a text. */
function inputsOf({ operationId, parameters = [], requestBody }) {
  const { content = {}, required = false } = requestBody ?? {}
  const schema = content['application/json']?.schema
  const isLines = schema === undefined && content['application/x-ndjson'] !== undefined
  const hint = schema ? qualified(hintOf(schema)) : 'str'
  return {
    inPath: parameters.filter((one) => one.in === 'path'),
    inQuery: parameters.filter((one) => one.in === 'query'),
    body: schema || isLines ? { hint, isLines, isRequired: required } : null,
    takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    isQuestion: QUESTIONS.has(operationId),
  }
}

function argumentsOf({ inPath, inQuery, body, takesKey }) {
  const optional = (name, hint) => `${name}: Optional[${hint}] = None`
  return [
    'self',
    ...inPath.map(({ name }) => `${snake(name)}: str`),
    ...(body ? [body.isRequired ? `body: ${body.hint}` : optional('body', body.hint)] : []),
    ...(inQuery.length > 0 || takesKey ? ['*'] : []),
    ...inQuery.map(({ name, schema, required }) => {
      const hint = qualified(hintOf(schema))
      return required ? `${snake(name)}: ${hint}` : optional(snake(name), hint)
    }),
    ...(takesKey ? [optional('idempotency_key', 'str')] : []),
  ]
}

function addressOf(path, { inPath }) {
  return inPath.length > 0
    ? `f"${path.replaceAll(/\{(\w+)\}/g, (_, name) => `{self._part(${snake(name)})}`)}"`
    : `"${path}"`
}

/** The kinds of keys that an operation takes. */
function credentialsOf({ tags, security = [{}] }) {
  // Signing in takes no credential; an old one that is sent along would be refused.
  const isAccess = tags?.includes('Auth') && security.some((one) => Object.keys(one).length === 0)
  const schemes = new Set((isAccess ? [] : security).flatMap((one) => Object.keys(one)))
  return ['agent', 'platform', 'owner', 'operator'].filter(
    (kind) => schemes.has(`${kind}Key`) || (kind === 'owner' && schemes.has('ownerToken')),
  )
}

function requestOf({ inQuery, body, takesKey, isQuestion }) {
  return [
    ...(body ? [body.isLines ? 'text=body' : 'body=body'] : []),
    ...(inQuery.length > 0
      ? [`query={${inQuery.map(({ name }) => `"${name}": ${snake(name)}`).join(', ')}}`]
      : []),
    ...(takesKey ? ['idempotency_key=idempotency_key'] : []),
    ...(takesKey && !isQuestion ? ['is_write=True'] : []),
  ]
}

/** Names of schemas are in a module of their own. */
function qualified(hint) {
  return hint.replaceAll(/\b[A-Z]\w*\b/g, (name) =>
    name in schemas && !/"/.test(name) ? `types.${name}` : name,
  )
}

function snake(name) {
  const words = name
    .replaceAll(/[^\w]/g, '_')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
  return KEYWORDS.has(words) ? `${words}_` : words
}

function oneLine(text) {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''")
    .replace(/\.?\s*$/, '')
    .replace(/"$/, '" ')
}
