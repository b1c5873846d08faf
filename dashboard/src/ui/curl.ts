import { urlOf } from '../api/client.ts'
import { saysTest } from '../session/mode.ts'

/** A first event, reported by the agent itself. */
export function reportCurl(apiKey: string): string {
  const body = { type: 'task.completed', data: { duration: 1200 } }
  return curl('POST', '/v1/events', `X-API-Key: ${apiKey}`, body)
}

/** A request as a command for a shell. */
export function curl(method: string, path: string, header: string | null, body?: unknown): string {
  const parts = [`curl -s ${location.origin}${urlOf(path)}`]
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) {
    parts.push(`-X ${method}`)
  }
  if (header) {
    parts.push(`-H ${quoted(header)}`)
  }
  // A key of an agent or a platform is for one mode; an account has both.
  if (header?.startsWith('Authorization') && saysTest(path)) {
    parts.push("-H 'Standing-Mode: test'")
  }
  if (body !== undefined) {
    parts.push("-H 'content-type: application/json'")
    parts.push(`-d ${quoted(JSON.stringify(body))}`)
  }
  return parts.join(' \\\n  ')
}

/** In single quotes nothing is expanded; double quotes let `$TOKEN` through. */
function quoted(text: string): string {
  return text.includes('$') ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}
