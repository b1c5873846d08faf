/** scripts/standing.mjs starts the service by its own bundle; this is for where there is only the command's. */
export async function serve(): Promise<number> {
  await import('../../../src/main.ts')
  return 0
}
