/** The path of a base URL, without a slash at the end: `/trust` of `https://host/trust`, else empty. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/+$/, '')
}
