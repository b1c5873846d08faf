import {
  type BehaviourProfile,
  type KnownReporter,
  knownReporter,
  negativeWeight,
  POOL,
} from '../profile.ts'
import type { Rule } from '../rule.ts'

/** What the others said, before one voice against them is alone. */
const GOOD_MIN = 20
const GOOD_SHARE = 0.85
/** A voice of weight among the others: twenty raters who said one thing each are no such voice. */
const FRIEND_GOOD_MIN = 5
/** A voice that has next to nothing good to say. */
const HOSTILE_SHARE = 0.9
/** What is heard grows with what the others said. Measured over thousands of made-up victims, young and
 *  old: 97 in 100 lose at most a tier by a platform that mixes what it says as it likes (a tenth: 95).
 *  One dispute, or three failures, are heard of anyone. */
const HEARD_SHARE = 1 / 12
const HEARD_MIN = 3

export const oneSided: Rule = {
  id: 'one_sided',
  summary: 'Bad news without end by platforms that have nothing else to say, against all others.',
  severity: 'high',
  mode: 'quarantine',
  threshold: {
    value: 10,
    min: 3,
    max: 10_000,
    unit: 'failed tasks, or bad reports that weigh as much, by such platforms together; fewer while the others have less than twelve times as many good ones',
    reason:
      'A platform that slanders costs its victim a tier, though there be but one other (A6); ten failed tasks are enough to be heard, and no more than the model lets one unsupported voice say (12). The first report is never held, and as soon as the others see bad things too, none is.',
  },
  inspect({ event, profile }, threshold) {
    const voice = knownReporter(profile, event.reporter.id) ?? poolOf(profile)
    if (event.impact !== 'negative' || event.self || !voice || !isHostile(voice)) {
      return null
    }
    const others = profile.reporters.filter((one) => !isHostile(one))
    const good = sum(others, (one) => one.good)
    const bad = sum(others, (one) => one.bad)
    const friends = others.filter((one) => one.good >= FRIEND_GOOD_MIN).length
    if (good < GOOD_MIN || friends === 0 || good < GOOD_SHARE * (good + bad)) {
      return null
    }
    const hostile =
      sum(profile.reporters.filter(isHostile), (one) => one.badMass) + negativeWeight(event)
    const heard = Math.min(threshold, Math.max(HEARD_MIN, HEARD_SHARE * good))
    if (hostile <= heard) {
      return null
    }
    return {
      sentence: 'This reporter has only bad news of an agent that all others find good.',
      evidence: { hostile, heard, othersGood: good, othersBad: bad, others: friends },
    }
  },
}

/** Whoever came too late to be told apart is judged with the rest of those. */
function poolOf({ reporters: voices }: BehaviourProfile): KnownReporter | undefined {
  return voices.find(({ tag }) => tag === POOL)
}

function isHostile({ good, bad }: KnownReporter): boolean {
  return bad > 0 && bad >= HOSTILE_SHARE * (good + bad)
}

function sum(voices: readonly KnownReporter[], of: (voice: KnownReporter) => number): number {
  return voices.reduce((total, voice) => total + of(voice), 0)
}
