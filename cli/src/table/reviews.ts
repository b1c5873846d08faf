import { command } from '../command.ts'
import {
  EXAMPLE_ID,
  LIMIT_OPTION,
  OPERATOR_OPTIONS,
  REASON_OPTION,
  TEST_OPTION,
} from '../options.ts'

const FILTER_OPTIONS = [
  { name: 'rule', value: 'RULE', help: 'only events in which this rule found something' },
  { name: 'agent', value: 'AGENT_ID', help: 'only events about this agent' },
  { name: 'reporter', value: 'ID', help: 'only events of this reporter' },
] as const

export const LIST_OPTIONS = [
  ...FILTER_OPTIONS,
  LIMIT_OPTION,
  ...OPERATOR_OPTIONS,
  TEST_OPTION,
] as const

export const DECIDE_OPTIONS = [
  { ...REASON_OPTION, help: "for the agent's owner and the audit log" },
  { name: 'all', help: 'decide on every event that the filters match' },
  ...FILTER_OPTIONS,
  ...OPERATOR_OPTIONS,
  TEST_OPTION,
] as const

const handlers = () => import('../commands/reviews.ts')

export const REVIEWS = [
  command({
    name: 'review list',
    operands: [],
    summary: 'List the quarantined events that await review, oldest first',
    options: LIST_OPTIONS,
    json: 'a ReviewItem a line',
    example: 'standing review list --rule contradictory_data',
    load: async () => (await handlers()).list,
  }),
  command({
    name: 'review get',
    operands: ['EVENT_ID'],
    summary: 'Show a quarantined event: what the rules found, its agent and its reporter',
    options: OPERATOR_OPTIONS,
    json: 'a ReviewItem',
    example: `standing review get ${EXAMPLE_ID}`,
    load: async () => (await handlers()).get,
  }),
  command({
    name: 'review release',
    operands: ['[EVENT_ID]'],
    summary: 'Release a quarantined event: it counts from its own time on',
    options: DECIDE_OPTIONS,
    json: 'the Event; with --all { reviewed, decision }',
    example: `standing review release ${EXAMPLE_ID} --reason "confirmed with the reporter"`,
    load: async () => (await handlers()).release,
  }),
  command({
    name: 'review uphold',
    operands: ['[EVENT_ID]'],
    summary: 'Uphold a quarantined event: it never counts',
    options: DECIDE_OPTIONS,
    json: 'the Event; with --all { reviewed, decision }',
    example: `standing review uphold ${EXAMPLE_ID} --reason "the data contradict each other"`,
    load: async () => (await handlers()).uphold,
  }),
]
