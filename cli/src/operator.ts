import { Standing } from '@standing/sdk'
import type { Terminal } from './command.ts'
import { Problem } from './problem.ts'

export const OPERATOR_OPTIONS = ['url', 'operator-key'] as const

const NO_KEY = `This is the operator's to do, so it needs the operator's key. Either

  - export STANDING_OPERATOR_KEY=avo_…   the key that the set-up link gave, or one of your own
    choice that the service was started with, or
  - give it with --operator-key avo_…`

/** The service as the operator speaks to it. */
export function operatorOf(
  { env }: Terminal,
  options: Readonly<Partial<Record<(typeof OPERATOR_OPTIONS)[number], string>>>,
): Standing {
  const operatorKey = options['operator-key'] ?? env.STANDING_OPERATOR_KEY
  if (!operatorKey) throw new Problem(NO_KEY)
  const baseUrl = options.url ?? env.STANDING_BASE_URL ?? `http://127.0.0.1:${env.PORT || 8080}`
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl))
    throw new Problem(`--url ${baseUrl} is not an http address.`)
  return new Standing({ baseUrl, operatorKey, retriesMax: 1 })
}
