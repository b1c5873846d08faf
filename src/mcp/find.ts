import { z } from 'zod'
import { AgentId, type FoundAgent, ScoreSummary } from './schemas.ts'
import { type ToolContext, ToolRefusal } from './tool.ts'

/** A score as the API answers it; what a tool does not show is left out. */
const ApiScore = ScoreSummary.extend({
  agentId: z.string(),
  status: z.enum(['active', 'suspended', 'deactivated']),
})

const ApiLookup = z.object({
  identifier: z.string(),
  match: z.enum(['verified', 'claimed', 'unknown']),
  agent: z
    .object({
      id: z.string(),
      displayName: z.string(),
      status: z.enum(['active', 'suspended', 'deactivated']),
    })
    .nullable(),
  score: ApiScore.nullable(),
})

const ApiScores = z.object({ data: z.array(ApiScore) })
const ApiLookups = z.object({ data: z.array(ApiLookup) })

/** Whether this is the id of an agent, and not a name of it. */
export function isId(name: string): boolean {
  return AgentId.safeParse(name).success
}

/** What is known of each, in the order asked; one request for ids and one for names. */
export async function findAgents(
  { call }: ToolContext,
  asked: readonly string[],
): Promise<readonly FoundAgent[]> {
  const ids = asked.filter(isId)
  const names = asked.filter((one) => !isId(one))
  const [scores, lookups] = await Promise.all([
    ids.length === 0
      ? []
      : call({ method: 'POST', path: '/v1/scores/batch', body: { agentIds: ids } }).then(
          (body) => ApiScores.parse(body).data,
        ),
    names.length === 0
      ? []
      : call({ method: 'POST', path: '/v1/lookup', body: { identifiers: names } }).then(
          (body) => ApiLookups.parse(body).data,
        ),
  ])
  const byId = new Map(scores.map((score) => [score.agentId, score]))
  const byName = new Map(lookups.map((lookup) => [lookup.identifier, lookup]))
  return asked.map((one) => {
    const score = byId.get(one.toLowerCase())
    if (score) {
      return fromScore(one, score)
    }
    const lookup = byName.get(one)
    return lookup ? fromLookup(one, lookup) : unknown(one)
  })
}

/** The id of one agent. @throws ToolRefusal when no agent has proven the name */
export async function agentIdOf(context: ToolContext, asked: string): Promise<string> {
  if (isId(asked)) {
    return asked.toLowerCase()
  }
  const [found] = await findAgents(context, [asked])
  if (found?.agentId) {
    return found.agentId
  }
  throw new ToolRefusal(
    'NOT_FOUND',
    found?.match === 'claimed'
      ? `${asked} is claimed, and not proven by anyone`
      : `no agent is known by the name ${asked}`,
  )
}

function fromScore(asked: string, { agentId, status, ...score }: z.output<typeof ApiScore>) {
  return { asked, match: 'id', agentId, displayName: null, status, score } as const
}

function fromLookup(
  asked: string,
  { match, agent, score }: z.output<typeof ApiLookup>,
): FoundAgent {
  return {
    asked,
    match,
    agentId: agent?.id ?? null,
    displayName: agent?.displayName ?? null,
    status: agent?.status ?? null,
    score: score && ScoreSummary.parse(score),
  }
}

function unknown(asked: string): FoundAgent {
  const nothing = { agentId: null, displayName: null, status: null, score: null }
  return { asked, match: 'unknown', ...nothing }
}
