import { type Habits, POOL, type Voice, voiceOf } from './habits.ts'
import type { Rule } from './rule.ts'

/** What the others said, before one voice against them is alone. */
const GOOD_MIN = 50
const GOOD_SHARE = 0.85
/** A voice of weight among the others. */
const FRIEND_GOOD_MIN = 10
/** A voice that has next to nothing good to say. */
const HOSTILE_SHARE = 0.9
/** Against one other platform alone a voice may be right: it is heard three times as long. */
const LONE_FACTOR = 3

export const oneSided: Rule = {
  id: 'one_sided',
  summary: 'Bad news without end by platforms that have nothing else to say, against all others.',
  severity: 'high',
  mode: 'hold',
  threshold: {
    value: 10,
    min: 3,
    max: 10_000,
    unit: 'bad reports by such platforms together; three times as many against one other platform',
    reason:
      'One platform in four that slanders costs its victim at most a tier (A6); ten reports are enough to be heard, and no more than the model lets one unsupported voice say (12). As soon as the others see bad things too, nothing is held.',
  },
  inspect({ event, habits }, threshold) {
    const voice = voiceOf(habits, event.reporter.id) ?? poolOf(habits)
    if (event.impact !== 'negative' || event.self || !voice || !isHostile(voice)) return null
    const others = habits.voices.filter((one) => !isHostile(one))
    const good = sum(others, (one) => one.good)
    const bad = sum(others, (one) => one.bad)
    const friends = others.filter(({ good }) => good >= FRIEND_GOOD_MIN).length
    if (good < GOOD_MIN || friends === 0 || good < GOOD_SHARE * (good + bad)) return null
    const hostile = sum(habits.voices.filter(isHostile), (one) => one.bad)
    if (hostile < (friends > 1 ? threshold : LONE_FACTOR * threshold)) return null
    return {
      sentence: 'This reporter has only bad news of an agent that all others find good.',
      evidence: { hostile: hostile + 1, othersGood: good, othersBad: bad, others: friends },
    }
  },
}

/** Whoever came too late to be told apart is judged with the rest of those. */
function poolOf({ voices }: Habits): Voice | undefined {
  return voices.find(({ tag }) => tag === POOL)
}

function isHostile({ good, bad }: Voice): boolean {
  return bad > 0 && bad >= HOSTILE_SHARE * (good + bad)
}

function sum(voices: readonly Voice[], of: (voice: Voice) => number): number {
  return voices.reduce((total, voice) => total + of(voice), 0)
}
