import { z } from 'zod'
import { LOGGED_TYPES, REPORTED_TYPES } from '../domain/event.ts'

export type ToolSchema = z.ZodObject

/** As long as the longest identifier that can be claimed. */
const NAME_CHARS_MAX = 500

export const AgentName = z
  .string()
  .min(1)
  .max(NAME_CHARS_MAX)
  .describe(
    'An agent: its id (a UUID), or a name that it has proven, such as did:web:agent.example.com, a ' +
      'domain, the URL of an agent card or of an MCP server, or a blockchain account (CAIP-10).',
  )

export const AgentId = z.guid('must be a UUID')

export const ReportedTypeName = z.enum(REPORTED_TYPES)
/** Of an event in a log: the service itself records some. */
export const EventTypeName = z.enum(LOGGED_TYPES)

export const Classification = z.enum(['excellent', 'good', 'fair', 'poor', 'untrusted'])
export const Confidence = z.enum(['low', 'medium', 'high'])
const Status = z.enum(['active', 'suspended', 'deactivated'])

const Prospect = z.object({ probability: z.number(), low: z.number(), high: z.number() }).nullable()

/** The part of a score that a decision needs. */
export const ScoreSummary = z.object({
  score: z.int().describe('0 to 1000; a new agent has 100.'),
  classification: Classification,
  confidence: Confidence.describe('By the number of events: below 50 low, from 500 on high.'),
  interval: z
    .object({ low: z.int(), high: z.int() })
    .describe('Where the score lies, given the evidence.'),
  eventCount: z.int(),
  disputed: z.object({
    isDisputed: z.boolean().describe('Whether platforms disagree about the agent.'),
    platformsFor: z.int(),
    platformsAgainst: z.int(),
  }),
  exposureLimit: z
    .number()
    .nullable()
    .describe('US dollars that may be at risk in one deal; null when no payments were reported.'),
  forecast: z
    .object({ task: Prospect, payment: Prospect })
    .describe('Probability that the next task, and the next payment, goes well.'),
  computedAt: z.string(),
})

/** What is known of one agent that was asked about. */
export const Found = z.object({
  asked: z.string(),
  match: z
    .enum(['id', 'verified', 'claimed', 'unknown'])
    .describe('claimed: an agent claims the name and has not proven it.'),
  agentId: z.string().nullable(),
  displayName: z.string().nullable().describe('Chosen by the owner; null when asked by id.'),
  status: Status.nullable(),
  score: ScoreSummary.nullable(),
})

export type FoundAgent = z.output<typeof Found>

export const Summary = z.string().describe('The answer in a sentence or two.')
