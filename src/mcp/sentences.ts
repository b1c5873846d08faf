import type { FoundAgent } from './schemas.ts'

/** One sentence about an agent, for a person. */
export function sentenceOf({ asked, match, displayName, status, score }: FoundAgent): string {
  if (match === 'claimed') {
    return `${asked} is claimed, and not proven by anyone: treat the agent as unknown.`
  }
  if (score === null) {
    return `${asked} is not known here. That says nothing good or bad about it.`
  }
  const who = displayName === null ? asked : `${asked} (${displayName})`
  const { low, high } = score.interval
  const parts = [
    `${who}: ${score.score} of 1000, ${score.classification}, between ${low} and ${high}, ` +
      `${score.confidence} confidence, from ${score.eventCount} events.`,
    ...(score.confidence === 'low' ? ['Little is known about it yet.'] : []),
    ...(score.disputed.isDisputed ? ['Platforms disagree about it.'] : []),
    ...(status === 'active' ? [] : [`The agent is ${status}.`]),
  ]
  return parts.join(' ')
}
