import type { Log } from '../lib/log.ts'
import { type SelfCheckOptions, startSelfCheck } from '../scoring/self-check.ts'
import type { Metrics } from './metrics.ts'

/** The comparison of agents with their logs, with its metrics and log lines. */
export interface WatchedSelfCheck {
  /** What was found, in a sentence; null where nothing was. */
  problem(): string | null
  close(): Promise<void>
}

/** For an installation whose settings turn it off. */
export const NO_SELF_CHECK: WatchedSelfCheck = { problem: () => null, close: async () => {} }

export function watchSelfCheck(
  store: SelfCheckOptions['store'],
  { gauge, counter }: Metrics,
  log: Log,
): WatchedSelfCheck {
  const { checked, differences, close } = startSelfCheck({
    store,
    onError: (err) => log.warn({ err }, 'an agent could not be compared with its log'),
    onDifference(difference) {
      log.error({ ...difference }, 'the stored state of an agent differs from its log')
    },
  })
  counter('standing_self_checks_total', 'Agents compared with their logs', checked)
  gauge(
    'standing_self_check_differences',
    'Agents whose stored state is not what their log gives',
    () => differences().size,
  )
  return {
    problem() {
      const { size } = differences()
      return size === 0 ? null : `stored states that differ from the logs of their agents: ${size}`
    },
    close,
  }
}
