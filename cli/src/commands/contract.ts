import { UsageError } from '../../../src/lib/user-error.ts'
import { serviceAddress } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { Difference } from '../contract/answer.ts'
import { RULES, type Rule } from '../contract/rules.ts'
import { createWorld, type World } from '../contract/world.ts'
import { fetchOf } from '../http/fetch.ts'
import { paint } from '../output.ts'
import type { CONTRACT_OPTIONS } from '../table/tools.ts'

interface Outcome {
  readonly outcome: 'follows' | 'differs' | 'skipped'
  readonly expected?: string
  readonly got?: string
}

const COLOURS = { follows: 'green', differs: 'red', skipped: 'yellow' } as const

export async function contract(
  { words: [address = ''], options }: InputOf<typeof CONTRACT_OPTIONS>,
  session: Session,
): Promise<number> {
  const url = serviceAddress('URL', address)
  const world = createWorld({
    url,
    platformKey: options['platform-key'] || session.env.STANDING_API_KEY || undefined,
    fetch: fetchOf(session),
    note: session.note,
  })
  const counts = { follows: 0, differs: 0, skipped: 0 }
  for (const rule of rulesWith(options.only)) {
    const outcome = await outcomeOf(rule, world)
    counts[outcome.outcome]++
    show(rule, outcome, session)
  }
  const { follows, differs, skipped } = counts
  session.show(
    { url, ...counts },
    `${follows} rules are followed, ${differs} are not, ${skipped} were not tried`,
  )
  return differs === 0 ? 0 : 1
}

/** @throws UsageError where no rule has the text */
function rulesWith(text = ''): readonly Rule[] {
  const found = RULES.filter(({ section, rule }) => `${section}: ${rule}`.includes(text))
  if (found.length === 0) {
    throw new UsageError(`No rule contains ${text}.`)
  }
  return found
}

async function outcomeOf(rule: Rule, world: World): Promise<Outcome> {
  if (rule.needsPlatform && world.platform === null) {
    return { outcome: 'skipped', expected: 'the key of a platform: --platform-key avp_…' }
  }
  try {
    await rule.run(world)
    return { outcome: 'follows' }
  } catch (error) {
    if (error instanceof Difference) {
      return { outcome: 'differs', expected: error.expected, got: error.got }
    }
    throw error
  }
}

function show({ section, rule }: Rule, outcome: Outcome, session: Session): void {
  const { expected, got } = outcome
  session.show(
    { section, rule, ...outcome },
    [
      `${paint(session, COLOURS[outcome.outcome], outcome.outcome.padEnd(7))}  ${section}: ${rule}`,
      ...(expected === undefined ? [] : [`         expected ${expected}`]),
      ...(got === undefined ? [] : [`         got      ${got}`]),
    ].join('\n'),
  )
}
