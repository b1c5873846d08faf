import { existsSync } from 'node:fs'

/** Why this process may not do what only root may; null where it may. */
export function privilege(what: string, device?: string): string | null {
  if (process.platform !== 'linux') {
    return `${what} is done on Linux alone`
  }
  if (process.getuid?.() !== 0) {
    return `${what} takes root`
  }
  if (device !== undefined && !existsSync(device)) {
    return `${what} takes ${device}, which this machine does not have`
  }
  return null
}
