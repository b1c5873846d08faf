import { drawScale } from '@standing/design/scale.ts'
import { shownTier } from '@standing/design/tier.ts'
import type { ScoreValues } from '@standing/design/words.ts'
import { numberOf } from './facts.ts'
import { html } from './html.ts'
import type { Page } from './layout.ts'
import { tierName } from './profile.ts'

export interface Leader {
  readonly id: string
  readonly displayName: string
  readonly score: ScoreValues
}

/** The public agents with the best scores. */
export function leadersPage(basePath: string, leaders: readonly Leader[]): Page {
  const rows = leaders.map(
    ({ id, displayName, score }, i) => html`<tr><td class="number">${i + 1}</td>
<th scope="row"><a href="${basePath}/agents/${id}">${displayName}</a></th>
<td>${tierName(shownTier(score))}</td><td class="number">${score.score}</td>
<td class="wide">${{ html: drawScale(score, 'list') }}</td><td class="number wide">${numberOf(score.eventCount)}</td></tr>`,
  )
  return {
    title: 'Agents',
    body: html`<h1>Agents</h1>
<p class="lead">The best scores among the agents whose owners have made them public.</p>
${
  leaders.length === 0
    ? html`<p class="quiet">No public agent has enough data yet.</p>`
    : html`<table class="rank"><thead><tr><th scope="col" class="number">Rank</th><th scope="col">Agent</th>
<th scope="col">Tier</th><th scope="col" class="number">Score</th><th scope="col" class="wide">Scale</th>
<th scope="col" class="number wide">Events</th></tr></thead><tbody>${rows}</tbody></table>`
}`,
  }
}
