import type { Issue } from '../domain/error.ts'
import type { z } from './schema.ts'
import { REQUIRED, wrongType } from './validation-messages.ts'

/**
 * Problems that one error names, of all parts of a request together: more than any form has fields. An error that names
 * all of them could be ten times as long as the request.
 */
export const ISSUES_MAX = 100

/** The problems that a schema found, each with the path of its field. */
export function issuesOf(part: string, error: z.ZodError): readonly Issue[] {
  return withoutLengthsOfOtherTypes(error.issues)
    .slice(0, ISSUES_MAX)
    .flatMap((issue) => toIssues(part, issue))
    .slice(0, ISSUES_MAX)
}

type ZodIssue = z.core.$ZodIssue

/** Zod checks the length of every value that has one: also that of a string where a list is expected. */
function withoutLengthsOfOtherTypes(issues: readonly ZodIssue[]): readonly ZodIssue[] {
  const isTypeIssue = ({ code }: ZodIssue) => code === 'invalid_type'
  const wrong = new Set(issues.filter(isTypeIssue).map(({ path }) => pathOf('body', path)))
  return issues.filter((issue) => isTypeIssue(issue) || !wrong.has(pathOf('body', issue.path)))
}

function toIssues(part: string, issue: ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, ISSUES_MAX).map((key) => ({
      path: pathOf(part, [...issue.path, key]),
      code: 'unknown_field',
      message: 'is not a field of this object',
    }))
  }
  if (issue.code === 'invalid_union') {
    return unionIssues(part, issue)
  }
  return [{ path: pathOf(part, issue.path), code: codeOf(issue), message: issue.message }]
}

/** Of several shapes, the problems of the one that fits best are the useful ones: at least its type. */
function unionIssues(part: string, issue: ZodIssue & { code: 'invalid_union' }): Issue[] {
  const types = issue.errors.flatMap(wantedType)
  if (issue.input !== undefined && types.length > 0 && types.length === issue.errors.length) {
    const message = wrongType([...new Set(types)], issue.input)
    return [{ path: pathOf(part, issue.path), code: 'invalid_type', message }]
  }
  const closest = [...issue.errors].sort(
    (a, b) => wantedType(a).length - wantedType(b).length || a.length - b.length,
  )[0]
  if (!closest || closest.length === 0) {
    return [{ path: pathOf(part, issue.path), code: codeOf(issue), message: issue.message }]
  }
  return withoutLengthsOfOtherTypes(closest).flatMap((inner) =>
    toIssues(part, { ...inner, path: [...issue.path, ...inner.path] } as ZodIssue),
  )
}

/** The type that a shape wants, where the value is of another one: one name, or none. */
function wantedType(issues: readonly ZodIssue[]): readonly string[] {
  const wrong = issues.find(({ code, path }) => code === 'invalid_type' && path.length === 0)
  return wrong?.code === 'invalid_type' ? [wrong.expected] : []
}

/** A field of the body is named by itself (`data.amount`), other parts with their place. */
export function pathOf(part: string, path: readonly PropertyKey[]): string {
  const dotted = path.map(String).join('.')
  if (part === 'body') {
    return dotted === '' ? 'body' : dotted
  }
  return dotted === '' ? part : `${part}.${dotted}`
}

function codeOf({ code, message }: ZodIssue): string {
  if (message === REQUIRED) {
    return 'required'
  }
  return HOW_FOUND.has(code) ? 'invalid_value' : code
}

/** These say how a schema is written, and nothing of the value: a limit of 0 and an unknown type of event had them. */
const HOW_FOUND: ReadonlySet<string> = new Set(['custom', 'invalid_union'])
