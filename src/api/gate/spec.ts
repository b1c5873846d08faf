import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { Decision } from '../decisions/schema.ts'
import { PolicyName } from '../policies/schema.ts'
import { ANYONE } from '../wire.ts'

const GateQuery = z.object({
  policy: PolicyName.optional().openapi({
    description:
      'A stored policy of the caller; by default the one named `gate`, then the one named `default`.',
  }),
  review: z.enum(['allow', 'deny']).default('deny').openapi({
    description:
      'Whether `review` lets the request pass or refuses it: a proxy has no person to ask.',
    example: 'deny',
  }),
})

export const GATE_SPECS = {
  gate: {
    method: 'get',
    path: '/v1/gate',
    tag: 'Decisions',
    summary:
      'Decide for a proxy whether a request of an agent may pass (HTTP external authorization)',
    description:
      'For nginx `auth_request`, Envoy `ext_authz`, Traefik `forwardAuth` and the like; any method ' +
      'and any path below it are accepted. The agent is the one whose key signed the request (Web Bot Auth: ' +
      '`Signature-Agent`, `Signature-Input`, `Signature`), or the one that the proxy names in ' +
      '`X-Agent-Id` or `X-Agent-Identifier`. If these name more than one agent, the reason is ' +
      '`identity_conflict`. 200 for `allow`, 403 otherwise; both say why in headers: ' +
      '`X-Standing-Decision`, `X-Standing-Reasons`, `X-Standing-Agent-Id`, `X-Standing-Score`, ' +
      '`X-Standing-Confidence`, `X-Standing-Disputed`, `X-Standing-Policy`, `X-Standing-Expires-At`. ' +
      'A signature covers the host that `X-Forwarded-Host` or `Host` names. Costs one lookup.',
    callers: ANYONE,
    permission: 'read',
    query: GateQuery,
    echoesRequestId: true,
    responses: { 200: { description: 'The request may pass', schema: Decision } },
    errors: ['FORBIDDEN'],
  },
} as const satisfies RouteSpecs
