/**
 * Histories and the scores they must give, to the last bit, on every machine. A change of the model
 * is meant to show here: rewrite what is expected with `UPDATE_VECTORS=1 npx vitest run test/vectors`
 * and read the difference.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { EventData, EventType } from '../../src/domain/event.ts'
import { type CountedEvent, foldEvents } from '../../src/domain/evidence.ts'
import { decodeEvidence, encodeEvidence } from '../../src/domain/evidence-codec.ts'
import { newEvidence } from '../../src/domain/evidence-state.ts'
import { MODEL } from '../../src/domain/model.ts'
import { type Score, scoreAt } from '../../src/domain/score.ts'

/** One event, or the same one several times, so many milliseconds apart. */
interface One {
  readonly type: EventType
  readonly data?: EventData
  readonly reporter: string
  readonly self?: boolean
  readonly reporterWeight?: number
  readonly share?: number
  readonly hardness?: number
  readonly at: string
  readonly repeat?: number
  readonly everyMs?: number
}

/** Several, all of them repeated. */
interface Group {
  readonly events: readonly (One | Group)[]
  readonly repeat: number
  readonly everyMs: number
}

interface History {
  readonly events: readonly (One | Group)[]
  readonly at: string
  expect?: Score
}

interface Vector extends History {
  readonly description: string
  readonly registeredAt: string
  readonly initialCeiling?: number
  /** A second history of the same agent, and how the score of the first stands to its. */
  readonly comparedWith?: History & { readonly relation: 'higher' | 'equal' | 'lower' }
}

const updating = process.env.UPDATE_VECTORS === '1'
const folder = import.meta.dirname

function* expand(entries: History['events'], shiftMs = 0): Generator<CountedEvent> {
  for (const entry of entries) {
    const { repeat = 1, everyMs = 0 } = entry
    for (let i = 0; i < repeat; i++) {
      const shift = shiftMs + i * everyMs
      if ('events' in entry) {
        yield* expand(entry.events, shift)
      } else {
        const { at, data = {}, self = false, repeat: _repeat, everyMs: _everyMs, ...rest } = entry
        yield { ...rest, data, self, at: Date.parse(at) + shift }
      }
    }
  }
}

/** The score of the evidence as it is read back from its bytes. */
function scoreOf({ registeredAt, initialCeiling }: Vector, { events, at }: History): Score {
  const fresh = newEvidence(MODEL, Date.parse(registeredAt), initialCeiling)
  const evidence = foldEvents(MODEL, fresh, expand(events))
  const stored = decodeEvidence(MODEL, encodeEvidence(evidence))
  expect(stored).toStrictEqual(evidence)
  return scoreAt(MODEL, stored, Date.parse(at))
}

function rewrite(file: string, vector: Vector): void {
  const histories: History[] = vector.comparedWith ? [vector, vector.comparedWith] : [vector]
  for (const history of histories) {
    history.expect = scoreOf(vector, history)
  }
  writeFileSync(`${folder}/${file}`, `${JSON.stringify(vector, null, 2)}\n`)
}

const files = readdirSync(folder).filter((file) => file.endsWith('.json'))

test.each(files)('%s has exactly the expected score', (file) => {
  const vector = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Vector
  if (updating) {
    rewrite(file, vector)
  }
  const score = scoreOf(vector, vector)
  expect(score).toStrictEqual(vector.expect)
  if (!vector.comparedWith) {
    return
  }
  const other = scoreOf(vector, vector.comparedWith)
  expect(other).toStrictEqual(vector.comparedWith.expect)
  const difference = Math.sign(score.score - other.score)
  expect(difference).toBe({ higher: 1, equal: 0, lower: -1 }[vector.comparedWith.relation])
})
