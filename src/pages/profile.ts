import { drawLevel, drawScale } from '@standing/design/scale.ts'
import { drawStrip, type StripDay } from '@standing/design/strip.ts'
import {
  drawTier,
  EVENTS_FOR_MEDIUM,
  type ShownTier,
  shownTier,
  tierAt,
} from '@standing/design/tier.ts'
import { ENGLISH, type ScoreValues, scoreSentence } from '@standing/design/words.ts'
import { capital, counted, dateOf, numberOf } from './facts.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'

/** The public profile of an agent as its page shows it. Times are RFC 3339. */
export interface ShownProfile {
  readonly agent: {
    readonly id: string
    readonly displayName: string
    readonly status: string
    readonly createdAt: string
  }
  readonly score: ShownScore
  readonly days: readonly StripDay[]
  readonly credentials: readonly {
    readonly id: string
    readonly type: string
    readonly assertedBy: 'owner' | 'service'
    readonly issuedAt: string
    readonly expiresAt: string | null
  }[]
  readonly owner: {
    readonly name: string | null
    readonly registeredAt: string
    readonly agents: number
  }
}

interface ShownScore extends ScoreValues {
  readonly breakdown: Readonly<
    Record<
      'reliability' | 'financial' | 'identity',
      { readonly score: number; readonly effectiveWeight: number; readonly eventCount: number }
    >
  >
  readonly evidence: {
    readonly platformReported: number
    readonly selfReported: number
    readonly quarantined: number
  }
  /** US dollars. */
  readonly exposureLimit: number | null
  readonly modelVersion: string
}

export interface Site {
  readonly basePath: string
  /** With the host. */
  readonly baseUrl: string
}

export function profilePage({ basePath, baseUrl }: Site, profile: ShownProfile): Page {
  const { agent, score, days, credentials, owner } = profile
  const url = `${baseUrl}/agents/${agent.id}`
  const isSuspended = agent.status === 'suspended'
  return {
    title: agent.displayName,
    preview: {
      description: `${isSuspended ? 'Suspended by the operator. ' : ''}Trust score: ${scoreSentence(score, ENGLISH)}.`,
      url,
      picture: `${url}/card.png`,
    },
    body: html`<h1>${agent.displayName}${isSuspended && html` <small>suspended by the operator</small>`}</h1>
<p class="id"><code>${agent.id}</code></p>
${headline(score)}
${{ html: drawScale(score) }}
${shownTier(score) === 'unknown' && newcomer(score)}
${dispute(score)}
${part('Last 90 days', strip(days))}
${part('How this is computed', computed(basePath, score))}
${part('Credentials', credentialTable(basePath, credentials))}
${part(
  'Owner',
  html`<p>${owner.name ?? 'The owner gives no name'}. Registered here on ${dateOf(owner.registeredAt)},
with ${counted(owner.agents, 'agent')} in use. This agent was registered on ${dateOf(agent.createdAt)}.</p>`,
)}
${part('Verify this yourself', verification(baseUrl, agent.id))}
${part('Badge', badge(basePath, baseUrl, agent))}`,
  }
}

function part(title: string, body: Html): Html {
  return html`<section class="part"><h2>${title}</h2>${body}</section>`
}

function headline(score: ScoreValues): Html {
  const tier = shownTier(score)
  const { low, high } = score.interval
  const detail =
    tier === 'unknown'
      ? `${numberOf(score.eventCount)} of ${EVENTS_FOR_MEDIUM} events`
      : `${capital(ENGLISH.confidence[score.confidence])}, between ${low} and ${high}`
  return html`<div class="figures tier-${tier}"><span class="figure">${score.score}</span>
<p>${tierName(tier)}<br><span class="quiet">${detail}</span></p></div>`
}

/** A tier by sign, word and colour. */
export function tierName(tier: ShownTier): Html {
  return html`<span class="tier-word tier-${tier}">${{ html: drawTier(tier, 14) }}${capital(ENGLISH.tiers[tier])}</span>`
}

function newcomer({ eventCount }: ScoreValues): Html {
  return html`<div class="note"><p>Too little has been reported to place this agent in a tier: ${counted(eventCount, 'event')}
of the ${EVENTS_FOR_MEDIUM} that it takes. That is no bad sign; every agent begins like this. The band shows where its
score may lie.</p></div>`
}

function dispute({ disputed }: ScoreValues): Html | false {
  return (
    disputed?.isDisputed === true &&
    html`<div class="note"><p>Platforms disagree about this agent: ${disputed.platformsFor} for it,
${disputed.platformsAgainst} against it.</p></div>`
  )
}

function strip(days: readonly StripDay[]): Html {
  const sum = (of: (day: StripDay) => number) => days.reduce((all, day) => all + of(day), 0)
  const [good, bad] = [sum((day) => day.good), sum((day) => day.bad)]
  const whole =
    good + bad === 0
      ? 'Nothing was reported in the last 90 days'
      : `${numberOf(good)} good and ${counted(bad, 'bad event')} in the last 90 days`
  const day = ({ day, good, bad, isKnown }: StripDay) =>
    isKnown ? `${day}: ${good} good, ${bad} bad` : `${day}: not counted`
  return html`${{ html: drawStrip(days, { whole, day }) }}<p class="quiet">${whole}</p>`
}

const DIMENSIONS = ['reliability', 'financial', 'identity'] as const

function computed(basePath: string, score: ShownScore): Html {
  const { platformReported, selfReported, quarantined } = score.evidence
  const rows = DIMENSIONS.map((name) => {
    const { score: value, effectiveWeight, eventCount } = score.breakdown[name]
    const tier = eventCount === 0 || shownTier(score) === 'unknown' ? 'unknown' : tierAt(value)
    const words = `${value} of 1000`
    return html`<tr><th scope="row">${capital(name)}</th><td class="wide">${{ html: drawLevel(value, tier, words) }}</td>
<td class="number">${value}</td><td class="number">${Math.round(effectiveWeight * 100)} %</td>
<td class="number">${numberOf(eventCount)}</td></tr>`
  })
  return html`<table><thead><tr><th scope="col">Dimension</th><th scope="col" class="wide">Scale</th>
<th scope="col" class="number">Score</th><th scope="col" class="number">Weight</th>
<th scope="col" class="number">Events</th></tr></thead><tbody>${rows}</tbody></table>
<p>From ${counted(platformReported, 'event')} reported by platforms and ${numberOf(selfReported)} by the agent or its
owner, which have a tenth of the weight. ${score.exposureLimit !== null && html`Exposure limit for one deal: US$${numberOf(score.exposureLimit)}. `}${quarantined > 0 && html`${counted(quarantined, 'event is', 'events are')} quarantined or found wrong, and ${quarantined === 1 ? 'does' : 'do'} not count. `}
Model ${score.modelVersion}. <a href="${basePath}/docs">API reference</a></p>`
}

function credentialTable(basePath: string, credentials: ShownProfile['credentials']): Html {
  if (credentials.length === 0) {
    return html`<p class="quiet">No credential in force.</p>`
  }
  const rows = credentials.map(
    ({ id, type, assertedBy, issuedAt, expiresAt }) =>
      html`<tr><th scope="row"><a href="${basePath}/verify/${id}">${type}</a></th>
<td>${assertedBy === 'service' ? 'this service' : 'its owner'}</td><td class="wide">${dateOf(issuedAt)}</td>
<td>${expiresAt === null ? 'never' : dateOf(expiresAt)}</td></tr>`,
  )
  return html`<table><thead><tr><th scope="col">Type</th><th scope="col">Asserted by</th>
<th scope="col" class="wide">Issued</th><th scope="col">Expires</th></tr></thead><tbody>${rows}</tbody></table>`
}

function verification(baseUrl: string, id: string): Html {
  return html`<p>The score as JSON, and signed with the hash of the events behind it:</p>
<pre tabindex="0"><code>curl -s ${baseUrl}/v1/agents/${id}/score
curl -s ${baseUrl}/v1/agents/${id}/score/receipt</code></pre>`
}

function badge(
  basePath: string,
  baseUrl: string,
  { id, displayName }: ShownProfile['agent'],
): Html {
  const picture = `/v1/agents/${id}/badge.svg`
  return html`<p><img class="badge" src="${basePath}${picture}" alt="The badge of ${displayName}" height="20"></p>
<pre tabindex="0"><code>[![Standing](${baseUrl}${picture})](${baseUrl}/agents/${id})</code></pre>`
}
