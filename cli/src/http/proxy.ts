import type { Terminal } from '../command.ts'

export interface Proxies {
  readonly http: string | undefined
  readonly https: string | undefined
  /** Hosts, separated by commas, that are reached directly. */
  readonly except: string | undefined
}

/** The proxies that the environment names, by the variables that curl and most other programs read. */
export function proxiesOf(env: Terminal['env']): Proxies {
  return {
    http: env.http_proxy || env.HTTP_PROXY || undefined,
    https: env.https_proxy || env.HTTPS_PROXY || undefined,
    except: env.no_proxy || env.NO_PROXY || undefined,
  }
}

/** Whether a proxy is named for such an address. This machine is never reached through one. */
export function isProxied(env: Terminal['env'], url: string): boolean {
  const { http, https } = proxiesOf(env)
  const { protocol, hostname } = new URL(url)
  return (protocol === 'https:' ? https : http) !== undefined && !LOOPBACK.test(hostname)
}

const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
