import { UserError } from '../../src/lib/user-error.ts'
import type { Terminal } from './command.ts'

/** The service's default port. */
const PORT = 8080

export const URL_OPTION = {
  name: 'url',
  value: 'URL',
  help: `address of the service (default http://127.0.0.1:${PORT}, or the port in $PORT)`,
  env: ['STANDING_URL', 'STANDING_BASE_URL'],
} as const

/** The address of the service, without a slash at the end. @throws UserError */
export function serviceUrl({ env }: Terminal, { url }: { readonly url?: string }): string {
  const local = `http://127.0.0.1:${env.PORT || PORT}`
  return httpUrl('--url', url ?? (env.STANDING_URL || env.STANDING_BASE_URL || local))
}

export function httpUrl(name: string, url: string): string {
  if (/^https?:/.test(url) && URL.canParse(url)) {
    return url
  }
  throw new UserError(`${name} ${url} is not an http or https address.`)
}
