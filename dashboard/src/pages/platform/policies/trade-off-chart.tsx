import { SCORE_MAX, TIERS } from '@standing/design/tier.ts'
import type { Backtest } from '../../../api/types.ts'
import { money, number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'

const WIDTH = 640
const HEIGHT = 180
/** Below the lines: the scores where tiers begin. */
const FOOT = 20

type Row = Backtest['tradeOff'][number]

/**
 * Two lines over the minimum score: what would have been lost, and how many good deals would not have been
 * allowed; each as a share of its greatest. A policy is a compromise between the two.
 */
export function TradeOffChart({ report: { tradeOff, policy } }: { report: Backtest }) {
  const { policies: texts } = t.value
  const x = (score: number) => (score / SCORE_MAX) * WIDTH
  const line = (pick: (row: Row) => number) => {
    const most = Math.max(1, ...tradeOff.map(pick))
    const y = (row: Row) => (1 - pick(row) / most) * HEIGHT
    return tradeOff.map((row, i) => `${i === 0 ? 'M' : 'L'}${x(row.minScore)} ${y(row)}`).join('')
  }
  const [first, last] = [tradeOff[0], tradeOff.at(-1)]
  return (
    <figure class="trade-off">
      <figcaption>
        <span class="trade-off-loss">
          {texts.loss}: {money(first?.loss ?? 0, 'USD')} – {money(last?.loss ?? 0, 'USD')}
        </span>
        <span class="trade-off-good">
          {texts.goodNotAllowed}: {number(first?.goodNotAllowed ?? 0)} –{' '}
          {number(last?.goodNotAllowed ?? 0)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 -4 ${WIDTH} ${HEIGHT + FOOT + 4}`}
        role="img"
        aria-label={texts.chart(number(policy.minScore))}
      >
        {TIERS.map(({ tier, min }) => (
          <g key={tier}>
            <line class="trade-off-tier" x1={x(min)} x2={x(min)} y1={0} y2={HEIGHT} />
            <text x={x(min) + 3} y={HEIGHT + FOOT - 5}>
              {number(min)}
            </text>
          </g>
        ))}
        <line
          class="trade-off-policy"
          x1={x(policy.minScore)}
          x2={x(policy.minScore)}
          y1={-4}
          y2={HEIGHT}
        />
        <path class="trade-off-loss" d={line(({ loss }) => loss)} />
        <path class="trade-off-good" d={line(({ goodNotAllowed }) => goodNotAllowed)} />
      </svg>
    </figure>
  )
}
