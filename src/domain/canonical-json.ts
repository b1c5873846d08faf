/**
 * One text for one value, whatever the order its fields were written in: JSON without white space,
 * the fields of every object sorted by UTF-16 units, numbers as ECMAScript writes them. For what the
 * service records this is RFC 8785. A field that is undefined is left out, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(',')}]`
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'null'
  }
  const fields = value as Readonly<Record<string, unknown>>
  let text = ''
  for (const name of Object.keys(fields).sort()) {
    const field = fields[name]
    if (field !== undefined) {
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(field)}`
    }
  }
  return `{${text}}`
}
