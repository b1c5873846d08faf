import { DAY_MS } from '../../../durations.ts'

/** Long enough for a season, short enough to be answered at once. */
export const BACKTEST_DAYS = 90

/** The span that policies are tested on, up to now. */
export function backtestSpan(): { readonly from: string; readonly to: string } {
  const now = Date.now()
  const from = new Date(now - BACKTEST_DAYS * DAY_MS).toISOString()
  return { from, to: new Date(now).toISOString() }
}
