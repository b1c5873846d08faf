/** The service's own default. */
const PORT = 8080

export const URL_OPTION = {
  name: 'url',
  value: 'URL',
  help: `where the service is (http://127.0.0.1:${PORT}, or as $PORT says)`,
  env: ['STANDING_URL', 'STANDING_BASE_URL'],
} as const

/** Where the service is unless told: as a client knows it, else as the service itself is set. */
export function defaultUrl(env: Readonly<Record<string, string | undefined>>): string {
  return env.STANDING_URL || env.STANDING_BASE_URL || `http://127.0.0.1:${env.PORT || PORT}`
}
