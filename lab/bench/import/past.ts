import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chanceOf } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'

export interface PastOptions {
  readonly file: string
  readonly events: number
  readonly agentIds: readonly string[]
  readonly platformIds: readonly string[]
}

/** The past is of a year, and ended yesterday. */
const DAYS = 365

/** An agent works for so many of the platforms. */
const PLATFORMS_OF_AGENT = 3

/** Kinds of work that the platforms name. */
const TASK_CLASSES = ['review', 'translation', 'support', 'delivery'] as const

/** Lines that are written at once, some 2 MB. */
const PART = 10_000

/** Generates the past of many agents, in order of time, each line about any of them. */
export async function writePast({ file, events, ...of }: PastOptions): Promise<void> {
  const chance = chanceOf(1)
  const from = Date.now() - (DAYS + 1) * DAY_MS
  const out = createWriteStream(file)
  for (let begun = 0; begun < events; begun += PART) {
    let text = ''
    for (let i = begun; i < Math.min(events, begun + PART); i++) {
      const at = from + Math.floor((i * DAYS * DAY_MS) / events)
      text += `${JSON.stringify(lineOf(i, at, chance, of))}\n`
    }
    if (!out.write(text)) {
      await once(out, 'drain')
    }
  }
  out.end()
  await once(out, 'close')
}

function lineOf(
  i: number,
  at: number,
  chance: () => number,
  { agentIds, platformIds }: Pick<PastOptions, 'agentIds' | 'platformIds'>,
): object {
  const agent = Math.floor(chance() * agentIds.length)
  const home = Math.floor(chance() * PLATFORMS_OF_AGENT)
  const by = platformIds[(agent * PLATFORMS_OF_AGENT + home) % platformIds.length]
  const isGood = chance() < 0.92
  const head = { at: new Date(at).toISOString(), agent: agentIds[agent], by }
  const externalId = `order-${i}`
  if (chance() < 0.3) {
    const amount = Math.round(500 + chance() * 20_000) / 100
    const type = isGood ? 'payment.completed' : 'payment.failed'
    return { ...head, type, data: { amount, currency: 'USD' }, externalId }
  }
  const duration = Math.round(1_000 + chance() * 100_000)
  const taskClass = TASK_CLASSES[agent % TASK_CLASSES.length]
  const type = isGood ? 'task.completed' : 'task.failed'
  return { ...head, type, data: { duration, taskClass }, externalId }
}
