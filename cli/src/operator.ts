import { Standing } from '@standing/sdk'
import type { Terminal } from './command.ts'
import { Problem } from './problem.ts'
import { defaultUrl, URL_OPTION } from './service-url.ts'

export const OPERATOR_OPTIONS = [
  URL_OPTION,
  {
    name: 'operator-key',
    value: 'avo_…',
    help: 'the key that the set-up link gave',
    env: ['STANDING_OPERATOR_KEY'],
  },
] as const

const NO_KEY = `This is the operator's to do, so it needs the operator's key. Either

  - export STANDING_OPERATOR_KEY=avo_…   the key that the set-up link gave, or one of your own
    choice that the service was started with, or
  - give it with --operator-key avo_…`

/** The service as the operator speaks to it. */
export function operatorOf(
  { env }: Terminal,
  options: Readonly<Partial<Record<(typeof OPERATOR_OPTIONS)[number]['name'], string>>>,
): Standing {
  const operatorKey = options['operator-key'] ?? env.STANDING_OPERATOR_KEY
  if (!operatorKey) {
    throw new Problem(NO_KEY)
  }
  const baseUrl = options.url ?? defaultUrl(env)
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new Problem(`--url ${baseUrl} is not an http address.`)
  }
  return new Standing({ baseUrl, operatorKey, retriesMax: 1 })
}
