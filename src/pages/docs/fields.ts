import { type Html, html, inline, jsonBlock } from '../html.ts'
import { type Document, deref, type Schema } from './document.ts'

/** The fields of a schema, with the fields of its objects. */
export function fields(document: Document, schema: Schema): Html {
  const whole = flat(document, schema)
  const options = whole.oneOf ?? whole.anyOf
  if (options) {
    return html`<p class="quiet">One of ${options.length} shapes:</p>${options.map((option) => {
      const { example } = flat(document, option)
      return html`<details><summary>${nameOf(option)}</summary>
${example !== undefined && jsonBlock(example)}${fields(document, option)}</details>`
    })}`
  }
  if (whole.items) {
    return fields(document, whole.items)
  }
  const entries = Object.entries(whole.properties ?? {})
  if (entries.length === 0) {
    return html``
  }
  const required = new Set(whole.required)
  return html`<ul class="fields">${entries.map(([name, field]) =>
    fieldItem(document, name, field, required.has(name)),
  )}</ul>`
}

export function fieldItem(
  document: Document,
  name: string,
  schema: Schema,
  isRequired: boolean,
): Html {
  const whole = flat(document, schema)
  const { description, default: ifAbsent, items } = whole
  const values = whole.enum ?? (items && flat(document, items).enum)
  return html`<li><code>${name}</code> <span class="type">${typeOf(document, whole)}</span>
${isRequired && html`<span class="required">required</span>`}
${description && html`<p>${inline(description)}</p>`}
${ifAbsent !== undefined && html`<p class="quiet">Default: <code>${JSON.stringify(ifAbsent)}</code></p>`}
${values && html`<p class="quiet">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`}
${fields(document, whole)}</li>`
}

/** A schema with its reference followed and its parts (allOf) joined. */
function flat(document: Document, schema: Schema): Schema {
  const { $ref: _ref, ...own } = schema
  const target = deref(document, schema)
  const whole = target === schema ? schema : { ...target, ...own }
  if (!whole.allOf) {
    return whole
  }
  const { allOf, ...rest } = whole
  const parts = [...allOf.map((part) => flat(document, part)), rest]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required ?? []),
  }
}

function typeOf(document: Document, schema: Schema): string {
  const { type, format, items, minimum, maximum, minLength, maxLength } = schema
  const types = typeof type === 'string' ? [type] : (type ?? ['object'])
  const names = types.map((name) => {
    if (name === 'array' && items) {
      return `list of ${typeOf(document, flat(document, items))}`
    }
    return name === 'string' && format ? format : name
  })
  const bounds = rangeOf(minimum, maximum) ?? rangeOf(minLength, maxLength)
  const unit = bounds && minimum === undefined && maximum === undefined ? ' characters' : ''
  return names.join(' or ') + (bounds ? `, ${bounds}${unit}` : '')
}

function rangeOf(min: number | undefined, max: number | undefined): string | undefined {
  if (min === undefined && max === undefined) {
    return undefined
  }
  if (max === undefined) {
    return `at least ${min}`
  }
  return min === undefined ? `at most ${max}` : `${min} to ${max}`
}

function nameOf({ $ref }: Schema): string {
  return $ref?.split('/').at(-1) ?? 'another shape'
}
