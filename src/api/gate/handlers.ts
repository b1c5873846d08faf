import type { Context } from '../../context.ts'
import { type Caller, modeOfCaller } from '../../domain/caller.ts'
import { forbidden } from '../../domain/error.ts'
import { type ErrorContext, errorResponse } from '../../http/errors.ts'
import type { Request } from '../../http/request.ts'
import { JSON_TYPE, okContent, type Response, type ResponseHeaders } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { RequestSigners } from '../../identifiers/request-signer.ts'
import { NO_STORE } from '../caching.ts'
import { answer, type Decided, type Deciding } from '../decisions/answer.ts'
import { presentDecision } from '../decisions/present.ts'
import { time } from '../wire.ts'
import { isRefused, type Refused, subjectOf } from './client-request.ts'
import { GATE_SPECS } from './spec.ts'

export interface GateDeps extends Context, Deciding {
  readonly signers: RequestSigners
}

export function gateRoutes(deps: GateDeps): readonly Route[] {
  return bind(GATE_SPECS, deps, {
    gate: (_, input) => gate(deps, input, input.query),
  })
}

type Query = InputOf<typeof GATE_SPECS.gate>['query']

interface Asking extends ErrorContext {
  readonly caller: Caller
  readonly request: Request
}

/** The name of the policy that a gate uses where none is named. */
const ACTION = 'gate'

/** Decides on the request that a proxy asks about. */
export async function gate(deps: GateDeps, asking: Asking, query: Query): Promise<Response> {
  const { caller, request } = asking
  const subject = await subjectOf(deps, request, modeOfCaller(caller))
  if (isRefused(subject)) {
    const { code, message } = subject
    recordRefusal(deps, caller, subject)
    const headers = { ...NO_STORE, 'x-standing-decision': 'deny', 'x-standing-reasons': code }
    return refused(asking, message, { decision: 'deny', reasons: [subject] }, headers)
  }
  const decided = await answer(deps, caller, {
    ...subject,
    via: 'gate',
    action: ACTION,
    policy: query.policy,
    policyPath: 'query.policy',
  })
  const { verdict, reasons } = decided
  const headers = { ...NO_STORE, ...headersOf(decided) }
  if (verdict === 'allow' || (verdict === 'review' && query.review === 'allow')) {
    return okContent(presentDecision(decided), JSON_TYPE, headers)
  }
  const message = reasons.map((reason) => reason.message).join('; ')
  return refused(asking, message, { decision: verdict, reasons }, headers)
}

/** Such a request is denied without a decision: it is not known which agent it comes from. */
function recordRefusal({ decisionLog }: GateDeps, caller: Caller, reason: Refused): void {
  if (caller.kind === 'platform') {
    decisionLog.add({
      platformId: caller.platformId,
      via: 'gate',
      agentId: null,
      identifier: null,
      action: ACTION,
      verdict: 'deny',
      reasons: [reason],
      score: null,
      policy: null,
    })
  }
}

function refused(
  asking: Asking,
  message: string,
  details: Readonly<Record<string, unknown>>,
  headers: ResponseHeaders,
): Response {
  const response = errorResponse(forbidden(message, details), asking)
  return { ...response, headers: { ...response.headers, ...headers } }
}

/** What the decision goes by, for the proxy's log and for the service behind it. */
function headersOf({ verdict, reasons, agentId, known, chosen, expiresAt }: Decided) {
  return {
    'x-standing-decision': verdict,
    'x-standing-reasons': reasons.map(({ code }) => code).join(','),
    'x-standing-policy': chosen.name ?? 'none',
    'x-standing-expires-at': time(expiresAt),
    ...(agentId === null ? {} : { 'x-standing-agent-id': agentId }),
    ...(known === null
      ? {}
      : {
          'x-standing-score': String(known.score),
          'x-standing-confidence': known.confidence,
          'x-standing-disputed': String(known.disputed.isDisputed),
        }),
  }
}
