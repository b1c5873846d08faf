import { exampleOf, jsonOf, type Operation } from './document.ts'

/** The header of each kind of credential, with the shell variable that holds it. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  ownerToken: 'Authorization: Bearer $TOKEN',
  ownerKey: 'X-API-Key: $OWNER_KEY',
  agentKey: 'X-API-Key: $AGENT_KEY',
  platformKey: 'X-API-Key: $PLATFORM_KEY',
  operatorKey: 'X-API-Key: $OPERATOR_KEY',
}

/** The operation as a command, with the examples of the document. */
export function curl(baseUrl: string, path: string, method: string, operation: Operation): string {
  const body = exampleOf(jsonOf(operation.requestBody))
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const parameter = operation.parameters?.find((one) => one.name === name)
    return String(parameter?.schema.example ?? name)
  })
  const parts = [`curl -s ${baseUrl}${url}`]
  const isPlain = method === 'get' || (method === 'post' && body !== undefined)
  if (!isPlain) {
    parts.push(`-X ${method.toUpperCase()}`)
  }
  const [scheme] = operation.security.flatMap((one) => Object.keys(one))
  const isOpen = operation.security.some((one) => Object.keys(one).length === 0)
  const credential = isOpen || scheme === undefined ? undefined : CREDENTIALS[scheme]
  if (credential) {
    parts.push(`-H "${credential}"`)
  }
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'")
    parts.push(`-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`)
  }
  return parts.join(' \\\n  ')
}
