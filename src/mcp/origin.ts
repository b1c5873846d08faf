/** Pages of the reader's own machine: tools such as the MCP inspector run there. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether a page of this origin may call. Without the check a page whose name is pointed at this
 * address (DNS rebinding) could. Programs send no Origin.
 */
export function isOriginAllowed(origin: string | null, baseUrl: string): boolean {
  if (origin === null) {
    return true
  }
  if (!URL.canParse(origin)) {
    return false
  }
  const url = new URL(origin)
  return LOOPBACK.includes(url.hostname) || url.origin === new URL(baseUrl).origin
}
