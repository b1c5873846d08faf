import { ApiError, type Issue, issuesOf, OFFLINE, UNREADABLE } from '../api/error.ts'
import type { TrustEvent } from '../api/types.ts'
import { t } from '../messages/index.ts'

/**
 * A text of the service in the reader's language, where there are words for its code; otherwise as it came, marked as
 * English. With `isDetailed` the text follows the words, as it says more than they do.
 */
export function Said({
  words,
  text,
  isDetailed,
}: {
  words: string | undefined
  text: string
  isDetailed?: boolean
}) {
  return (
    <>
      {words}
      {words && isDetailed && ' '}
      {(!words || isDetailed) && (
        <span lang="en" class={words && 'quiet'}>
          {text}
        </span>
      )}
    </>
  )
}

/** What went wrong, in the reader's language as far as there are words for it. */
export function ErrorText({ error }: { error: unknown }) {
  if (!isFromService(error)) {
    return <>{messageOf(error)}</>
  }
  const words = wordsOf(error)
  const [issue] = issuesOf(error)
  if (issue && words) {
    return (
      <>
        {words} <code>{issue.path}</code>: <IssueText issue={issue} />
      </>
    )
  }
  return <Said words={words} text={error.message} isDetailed={reasonOf(error) === undefined} />
}

/** What is wrong with a field of a form, by the service's own check of it. */
export function issueOf(error: unknown, field: string) {
  const issue = issuesOf(error).find(({ path }) => path === field)
  return issue ? <IssueText issue={issue} /> : null
}

function IssueText({ issue: { code, message } }: { issue: Issue }) {
  const { issues, kinds } = t.value.service
  return <Said words={issues[code] ?? kinds[code]} text={message} isDetailed={!issues[code]} />
}

/** The same for where no marked text can be: in short where there are words for it. */
export function messageOf(error: unknown): string {
  if (isOfflineError(error)) {
    return t.value.states.offlineTitle
  }
  if (isFromService(error)) {
    return wordsOf(error) ?? error.message
  }
  return error instanceof Error ? error.message : String(error)
}

/** What the dashboard itself says is in the reader's language already. */
function isFromService(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code !== OFFLINE && error.code !== UNREADABLE
}

function wordsOf(error: ApiError): string | undefined {
  return reasonOf(error) ?? t.value.service.errors[error.code]
}

function reasonOf({ details: { reason, limit } }: ApiError): string | undefined {
  const { reasons } = t.value.service
  return reasons[String(reason)] ?? (String(limit).startsWith('max_') ? reasons.limit : undefined)
}

export function isOfflineError(error: unknown): boolean {
  return error instanceof ApiError && error.code === OFFLINE
}

/** These rules find several things, which their words do not tell apart. */
const BROAD_RULES = ['attestation_invalid', 'contradictory_data']

/** What a rule found. */
export function Finding({ rule, sentence }: { rule: string; sentence: string }) {
  const { rules } = t.value.service
  return <Said words={rules[rule]} text={sentence} isDetailed={BROAD_RULES.includes(rule)} />
}

/** Why an event is quarantined. */
export function QuarantineReason({ event }: { event: TrustEvent }) {
  const isDetailed = event.fraudFlags.some((rule) => BROAD_RULES.includes(rule))
  const words = ruleWords(event)
  return <Said words={words} text={event.quarantineReason ?? ''} isDetailed={isDetailed} />
}

/** The same for where no marked text can be. */
export function quarantineReason(event: TrustEvent): string {
  return ruleWords(event) ?? event.quarantineReason ?? ''
}

function ruleWords({ fraudFlags }: TrustEvent): string | undefined {
  const { rules } = t.value.service
  return fraudFlags.every((rule) => rules[rule])
    ? fraudFlags.map((rule) => rules[rule]).join(' ')
    : undefined
}
