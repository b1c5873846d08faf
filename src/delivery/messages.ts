/** Notifications as people read them: in a chat, or by mail. */

import type { WebhookFormat } from '../store/store.ts'

/** What a message is made of: type, data and agent of a notification. */
export interface MessageSource {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /** The display name of the agent. */
  readonly agentName: string | null
  /** Whether it is about test data, which the message then says first. */
  readonly isTest: boolean
}

/** The body of a post to a chat. */
export function chatBody(
  format: Exclude<WebhookFormat, 'standard' | 'mail'>,
  source: MessageSource,
): object {
  const text = markOf(source) + sentenceOf(source)
  switch (format) {
    case 'slack':
      return { text }
    case 'discord':
      // No text in a name mentions anyone.
      return { content: text, allowed_mentions: { parse: [] } }
    case 'teams':
      return { type: 'message', attachments: [cardOf(text)] }
  }
}

/** What workflows of Teams take: an adaptive card. */
function cardOf(text: string): object {
  return {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [{ type: 'TextBlock', text, wrap: true }],
    },
  }
}

function markOf({ isTest }: MessageSource): string {
  return isTest ? 'Test data: ' : ''
}

/** What happened, in a sentence. */
function sentenceOf({ type, data, agentName }: MessageSource): string {
  const agent = `Agent ${nameOf(agentName)} (${plain(data.agentId)})`
  switch (type) {
    case 'score.changed':
      return `${agent}: ${scoreOf(data)}.${disputeOf(data)}`
    case 'score.tier_changed':
      return `${agent} is now ${plain(data.classification)}, was ${plain(data.previousClassification)}: ${scoreOf(data)}.`
    case 'agent.status_changed':
      return `${agent} is ${plain(data.status)}, was ${plain(data.previousStatus)}.`
    case 'agent.transferred':
      return `${agent} passed to another owner.`
    case 'identifier.verified':
      return `${agent} has proven the name ${plain(data.value)}.`
    case 'identifier.failing':
      return `${agent}: the proof of the name ${plain(data.value)} was not found.`
    case 'identifier.lapsed':
      return `${agent} no longer has the name ${plain(data.value)}.`
    case 'event.ingested':
    case 'event.quarantined':
    case 'event.reviewed':
      return `${agent}: an event ${plain(data.type)} was ${plain(data.decision ?? changeOf(type))}.`
    case 'credential.issued':
    case 'credential.revoked':
      return `${agent}: a credential ${plain(data.type)} was ${changeOf(type)}.`
    default:
      return 'This is a test of a subscription of Standing.'
  }
}

/** What happened, by the type: `quarantined` of `event.quarantined`. */
function changeOf(type: string): string {
  return type.slice(type.indexOf('.') + 1)
}

function scoreOf({ previousScore, newScore }: MessageSource['data']): string {
  return previousScore === newScore
    ? `its score is ${plain(newScore)}`
    : `its score went from ${plain(previousScore)} to ${plain(newScore)}`
}

function disputeOf({ disputed }: MessageSource['data']): string {
  const isDisputed = (disputed as { isDisputed?: boolean } | undefined)?.isDisputed
  return isDisputed ? ' Platforms disagree about it.' : ''
}

/** Longer than names that people choose; the rest of a message is shorter. */
const TEXT_CHARS_MAX = 200

/** Without what chats take for markup, links to people, or a new line: names are others' words. */
function plain(value: unknown): string {
  const text = String(value ?? 'unknown').slice(0, TEXT_CHARS_MAX)
  return text.replace(/[^\p{L}\p{N} .,:/'’-]/gu, '')
}

/** A display name is chosen by its owner: nothing in it becomes a link. */
function nameOf(name: string | null): string {
  return plain(name ?? 'without a name').replace(/[:/]/g, '')
}

/** A mail about a notification. */
export function mailOf(source: MessageSource): { readonly subject: string; readonly text: string } {
  const mark = markOf(source)
  const why = 'You get this mail by a subscription of your account at Standing (GET /v1/webhooks).'
  return {
    subject: `Standing: ${mark}${source.type}`,
    text: `${mark}${sentenceOf(source)}\n\n${why}\n`,
  }
}
