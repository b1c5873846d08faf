import type { RouteSpecs } from '../../http/route.ts'
import { DECIDERS } from '../decisions/spec.ts'
import { ANYONE } from '../wire.ts'
import {
  Evaluation,
  EvaluationAnswer,
  Evaluations,
  EvaluationsAnswer,
  PdpMetadata,
} from './schema.ts'

/** What the HTTPS binding of AuthZEN asks beyond what the API does. */
const BINDING = {
  method: 'post',
  queue: 'write',
  writes: false,
  tag: 'Decisions',
  callers: DECIDERS,
  permission: 'read',
  echoesRequestId: true,
  refusesMediaTypesAs: 'VALIDATION_ERROR',
} as const

export const EVALUATION_PATH = '/access/v1/evaluation'
export const EVALUATIONS_PATH = '/access/v1/evaluations'

export const AUTHZEN_SPECS = {
  getAuthZenConfiguration: {
    method: 'get',
    path: '/.well-known/authzen-configuration',
    tag: 'Decisions',
    summary: 'Get the metadata of the policy decision point (OpenID AuthZEN 1.0)',
    description: 'No credential needed. Where the endpoints are.',
    callers: ANYONE,
    isPublic: true,
    responses: { 200: { description: 'The metadata', schema: PdpMetadata } },
  },
  evaluateAccess: {
    ...BINDING,
    path: EVALUATION_PATH,
    summary: 'Decide by OpenID AuthZEN 1.0 (Access Evaluation)',
    description:
      'Anyone with a credential. The same decision as `POST /v1/decisions`, in the words of AuthZEN: ' +
      'the subject is the agent, the name of the action that of a policy, and `decision` is true for ' +
      '`allow` alone. `context` is the whole decision. Fields that are not known are ignored. Costs ' +
      'one lookup.',
    body: Evaluation,
    responses: { 200: { description: 'The decision', schema: EvaluationAnswer } },
  },
  evaluateAccesses: {
    ...BINDING,
    path: EVALUATIONS_PATH,
    summary: 'Decide up to 100 times by OpenID AuthZEN 1.0 (Access Evaluations)',
    description:
      'Anyone with a credential. An evaluation that is not valid, or names an agent of the other mode, is a ' +
      '`decision` of false with `context.error`. Costs one lookup for each evaluation that is decided.',
    body: Evaluations,
    responses: { 200: { description: 'The decisions', schema: EvaluationsAnswer } },
  },
} as const satisfies RouteSpecs
