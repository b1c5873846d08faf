import type { Caller } from '../../domain/caller.ts'
import { invalid, TrustError } from '../../domain/error.ts'
import { STATUS } from '../../http/errors.ts'
import { issuesOf } from '../../http/issues.ts'
import type { z } from '../../http/schema.ts'
import { parseBy } from '../../http/validation-messages.ts'
import { isJsonObject } from '../../lib/json-object.ts'
import { type Asked, answer, type Deciding } from '../decisions/answer.ts'
import { presentDecision } from '../decisions/present.ts'
import { Id } from '../wire.ts'
import { Evaluation, type Evaluations, type SEMANTICS } from './schema.ts'

type Request = z.output<typeof Evaluation>

/** One evaluation as JSON, and whether it permits. */
export interface Evaluated {
  readonly isPermit: boolean
  readonly body: string
}

export async function evaluate(
  deciding: Deciding,
  caller: Caller,
  request: Request,
): Promise<Evaluated> {
  const decided = await answer(deciding, caller, askedBy(request))
  const isPermit = decided.verdict === 'allow'
  return { isPermit, body: `{"decision":${isPermit},"context":${presentDecision(decided)}}` }
}

/** The question that an evaluation asks. Of several amounts the action's own comes first. */
function askedBy({ subject, action, resource, context }: Request): Asked {
  const risk = [action.properties, resource.properties, context].find(
    (place) => place?.amount !== undefined,
  )
  const id = Id.safeParse(subject.id)
  return {
    via: 'authzen',
    ...(id.success ? { agentId: id.data } : { identifier: subject.id }),
    action: action.name,
    amount: risk?.amount,
    currency: risk?.currency,
    policy: context?.policy,
    policyPath: 'context.policy',
  }
}

/** Values for evaluations that do not have their own. */
type Defaults = Pick<z.output<typeof Evaluations>, 'subject' | 'action' | 'resource' | 'context'>

type Risk = Pick<NonNullable<Request['context']>, 'amount' | 'currency'>

export interface Many {
  readonly defaults: Defaults
  readonly evaluations: readonly unknown[]
  readonly semantic: (typeof SEMANTICS)[number]
}

/** The evaluations in their order, up to the one that ends them. */
export async function evaluateMany(
  deciding: Deciding,
  caller: Caller,
  { defaults, evaluations, semantic }: Many,
): Promise<readonly Evaluated[]> {
  const needed = neededOf(defaults)
  const one = (evaluation: unknown, i: number) =>
    evaluateItem(deciding, caller, { defaults: needed, evaluation, path: `evaluations.${i}` })
  if (semantic === 'execute_all') {
    return Promise.all(evaluations.map(one))
  }
  const isLast = semantic === 'permit_on_first_permit'
  const done: Evaluated[] = []
  for (const [i, evaluation] of evaluations.entries()) {
    const evaluated = await one(evaluation, i)
    done.push(evaluated)
    if (evaluated.isPermit === isLast) {
      break
    }
  }
  return done
}

/**
 * The members of the defaults that decisions read. Each evaluation is parsed together with them, which must not
 * cost as much as to parse everything else that a client may send along.
 */
function neededOf({ subject, action, resource, context }: Defaults): Defaults {
  return {
    subject: subject && { type: subject.type, id: subject.id },
    action: action && { name: action.name, properties: riskIn(action.properties) },
    resource: resource && {
      type: resource.type,
      id: resource.id,
      properties: riskIn(resource.properties),
    },
    context: context && { ...riskIn(context), policy: context.policy },
  }
}

function riskIn(place: Risk | undefined): Risk {
  return { amount: place?.amount, currency: place?.currency }
}

interface Item {
  readonly defaults: Defaults
  readonly evaluation: unknown
  readonly path: string
}

/** An evaluation that is not valid is denied by itself; the others are not affected. */
async function evaluateItem(
  deciding: Deciding,
  caller: Caller,
  { defaults, evaluation, path }: Item,
): Promise<Evaluated> {
  const whole = isJsonObject(evaluation) ? { ...defaults, ...evaluation } : evaluation
  const parsed = parseBy(Evaluation, whole)
  if (!parsed.success) {
    return failed(invalid(issuesOf(path, parsed.error)))
  }
  try {
    return await evaluate(deciding, caller, parsed.data)
  } catch (error) {
    if (error instanceof TrustError && concernsItem(error)) {
      return failed(error)
    }
    throw error
  }
}

/** A policy that is not stored, or a subject of the other mode. Any other error is of the request or the service. */
function concernsItem({ code }: TrustError): boolean {
  return code === 'VALIDATION_ERROR' || code === 'FORBIDDEN'
}

function failed({ code, message }: TrustError): Evaluated {
  const error = { status: STATUS[code], message }
  return { isPermit: false, body: JSON.stringify({ decision: false, context: { error } }) }
}
