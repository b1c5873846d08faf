import type { DecisionLog } from '../../decisions/decision-log.ts'
import { type Experience, type Experiences, isCrowdedOut } from '../../decisions/experience.ts'
import { accountOf, type Caller, type CallerOf, modeOfCaller } from '../../domain/caller.ts'
import { toUsd } from '../../domain/currency.ts'
import { type Decision, decide, type OwnExperience, type Question } from '../../domain/decision.ts'
import { invalidField } from '../../domain/error.ts'
import { isTestId } from '../../domain/mode.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import type { DecisionApi } from '../../store/store.ts'
import type { LookupCache } from '../lookup/lookup-cache.ts'
import { checkId } from '../modes.ts'
import type { KnownAgent, ScoreCache } from '../scores/score-cache.ts'
import { type Chosen, choosePolicy, type PolicyCache } from './policy-cache.ts'

/** What decisions are made with. */
export interface Deciding {
  readonly names: LookupCache
  readonly scores: ScoreCache
  readonly policies: PolicyCache
  readonly experiences: Experiences
  readonly lookups: Lookups
  readonly decisionLog: DecisionLog
  readonly now: () => number
}

export interface Asked {
  readonly via: DecisionApi
  readonly agentId?: string | undefined
  readonly identifier?: string | undefined
  readonly action?: string | undefined
  readonly amount?: number | undefined
  readonly currency?: string | undefined
  readonly policy?: string | Policy | undefined
  /** The field in which the policy was named; `policy` by default. */
  readonly policyPath?: string
}

export interface Decided extends Decision {
  readonly agentId: string | null
  /** The public part of the agent, as JSON. */
  readonly agent: string | null
  readonly known: KnownAgent | null
  readonly own: Experience | null
  readonly chosen: Chosen
  readonly expiresAt: number
}

/** As long as a gateway may go by a decision: an agent that turns bad is refused within a minute. */
const VALID_MS = 60_000

/** Decides, by what is known now. Takes one lookup. @throws VALIDATION_ERROR for a policy that is not stored */
export async function answer(deciding: Deciding, caller: Caller, asked: Asked): Promise<Decided> {
  const { names, scores, policies, experiences, lookups, now } = deciding
  const holder = caller.kind === 'anonymous' ? undefined : accountOf(caller)?.name
  const named = holder === undefined ? new Map<string, Policy>() : await policies.get(holder)
  const chosen = choosePolicy(named, asked.policy, asked.action)
  if (!chosen) {
    const message = 'is not the name of a stored policy'
    throw invalidField(asked.policyPath ?? 'policy', message, 'unknown_policy')
  }
  await lookups.take(caller, 1)
  const agentId =
    asked.agentId === undefined
      ? (await names.holder(asked.identifier ?? '', modeOfCaller(caller))).agentId
      : visibleId(caller, asked.agentId)
  const known = agentId === null ? null : ((await scores.get(agentId))?.known ?? null)
  const own =
    known && agentId !== null && caller.kind === 'platform'
      ? await ownExperience(experiences, caller, agentId, known)
      : null
  const amountUsd = asked.amount === undefined ? null : toUsd(asked.amount, asked.currency)
  const decided = {
    ...decide({ policy: chosen.policy, namedBy: namedBy(asked), agent: known, amountUsd, own }),
    agentId: known && agentId,
    agent: known && agentId !== null ? ((await names.agent(agentId)) ?? null) : null,
    known,
    own,
    chosen,
    expiresAt: now() + VALID_MS,
  }
  record(deciding, caller, asked, decided)
  return decided
}

/** The reports of the platform itself, and the limit of the vote in which they count. */
async function ownExperience(
  experiences: Experiences,
  { platformId, ownerId }: CallerOf<'platform'>,
  agentId: string,
  known: KnownAgent,
): Promise<Experience & OwnExperience> {
  const found = await experiences.of(platformId, agentId, known)
  const vote = known.ownVotes.find(({ voter }) => voter === (ownerId ?? platformId))
  const { good, bad } = vote && isCrowdedOut(found, known) ? vote : found
  return { good, bad, lastReportAt: found.lastReportAt, limitUsd: vote?.limitUsd }
}

function namedBy({ agentId, identifier }: Asked): Question['namedBy'] {
  if (agentId !== undefined) {
    return 'id'
  }
  return identifier ? 'name' : 'nothing'
}

/** A platform can look back at what it asked for. Its program has each decision in its own log. */
function record(
  { decisionLog }: Deciding,
  caller: Caller,
  { via, agentId: id, identifier, action }: Asked,
  { agentId, verdict, reasons, known, chosen }: Decided,
): void {
  if (caller.kind === 'platform') {
    decisionLog.add({
      platformId: caller.platformId,
      via,
      agentId,
      identifier: agentId === null ? (identifier ?? id ?? null) : null,
      action: action ?? null,
      verdict,
      reasons,
      score: known?.score ?? null,
      policy: chosen.name,
    })
  }
}

/** Without a key a test agent is unknown, and denied by default; with a live key it is an error. */
function visibleId(caller: Caller, agentId: string): string | null {
  if (caller.kind === 'anonymous') {
    return isTestId(agentId) ? null : agentId
  }
  checkId(caller, agentId)
  return agentId
}
