import { UpdateRuleBody } from '../../../src/api/rules/schema.ts'
import { MODEL } from '../../../src/domain/model.ts'
import { RULES, type RuleSetting, type RuleSettings } from '../../../src/fraud/rules.ts'
import { issuesOf } from '../../../src/http/issues.ts'
import { parseBy } from '../../../src/http/validation-messages.ts'
import { readJsonObject } from '../../../src/lib/json-object.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { isOn, settingsIn, wholeNumber } from '../../../src/settings/values.ts'
import type { Settings } from './simulator.ts'

/** Nothing is set, so that every setting has its default. */
const unset = settingsIn({}, [])

/** The service as it comes (src/config.ts). */
export const DEFAULT_SETTINGS: Settings = {
  model: MODEL,
  rules: new Map(),
  rateLimits: isOn(unset, 'STANDING_RATE_LIMITS'),
  eventsPerAgentHour: wholeNumber(unset, 'STANDING_EVENTS_PER_AGENT_HOUR'),
  eventsPerPlatformHour: wholeNumber(unset, 'STANDING_EVENTS_PER_PLATFORM_HOUR'),
  occurredAtDays: wholeNumber(unset, 'STANDING_OCCURRED_AT_DAYS'),
}

/** The settings of rules in a JSON file: `{ "sleeper": { "mode": "shadow", "threshold": 50 } }`. */
export async function readRules(path: string): Promise<RuleSettings> {
  const settings = await readJsonObject(path, '{ "sleeper": { "mode": "shadow" } }')
  return new Map(Object.entries(settings).map(([id, body]) => [id, settingOf(path, id, body)]))
}

/** As `PATCH /v1/operator/rules/:rule` takes it. */
function settingOf(path: string, id: string, body: unknown): RuleSetting {
  const rule = RULES.find((one) => one.id === id)
  if (!rule) {
    const known = RULES.map((one) => one.id).join(', ')
    throw new UserError(`${path}: there is no rule ${id}. There are ${known}.`)
  }
  const parsed = parseBy(UpdateRuleBody, body)
  if (!parsed.success) {
    const [issue] = issuesOf(id, parsed.error)
    throw new UserError(`${path}: ${issue?.path} ${issue?.message}.`)
  }
  const { mode = rule.mode, threshold } = parsed.data
  const { value = 0, min = 0, max = 0, unit = '' } = rule.threshold ?? {}
  const figure = threshold ?? value
  if (rule.threshold === null ? typeof threshold === 'number' : figure < min || figure > max) {
    const bounds = rule.threshold ? `must be from ${min} to ${max} (${unit})` : 'does not exist'
    throw new UserError(`${path}: ${id}.threshold ${bounds}.`)
  }
  return { mode, threshold: figure }
}
