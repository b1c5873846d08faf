import type { ComponentChildren } from 'preact'
import { ApiError, isSaidBeside, UNREADABLE } from '../api/error.ts'
import type { Resource } from '../api/resource.ts'
import { t } from '../messages/index.ts'
import { to } from '../paths.ts'
import { ErrorText, isOfflineError, messageOf } from './said.tsx'

/** What this is when there is nothing of it yet, and the one thing to do about it. */
export function Empty({
  title,
  isPage,
  children,
  action,
}: {
  title: string
  /** Instead of a page, whose heading it is. */
  isPage?: boolean
  children?: ComponentChildren
  action?: ComponentChildren
}) {
  return (
    <div class="state">
      {isPage ? <h1>{title}</h1> : <p class="state-title">{title}</p>}
      {children && <div class="quiet">{children}</div>}
      {action}
    </div>
  )
}

/** What went wrong and what to do: offline, forbidden, not found, or the message of the service. */
export function Failure({
  error,
  retry,
  isPage = false,
}: {
  error: unknown
  retry?: () => void
  isPage?: boolean
}) {
  const { states, common } = t.value
  const again = retry && (
    <button type="button" onClick={retry}>
      {common.retry}
    </button>
  )
  if (!(error instanceof ApiError)) {
    return (
      <Empty title={states.errorTitle} isPage={isPage} action={again}>
        <p lang="en">{String(error)}</p>
      </Empty>
    )
  }
  if (isOfflineError(error)) {
    return (
      <Empty title={states.offlineTitle} isPage={isPage} action={again}>
        <p>{states.offlineText}</p>
      </Empty>
    )
  }
  if (error.code === 'FORBIDDEN') {
    return <NoRight message={<ErrorText error={error} />} />
  }
  if (error.code === 'NOT_FOUND') {
    return <NotFound />
  }
  return (
    <Empty title={states.errorTitle} isPage={isPage} action={again}>
      <p>
        {error.code !== UNREADABLE && states.errorWhat} <ErrorText error={error} />
      </p>
      <p class="mono">
        {error.code}
        {typeof error.details.requestId === 'string' &&
          ` · ${states.errorId(error.details.requestId)}`}
      </p>
    </Empty>
  )
}

export function NoRight({ message }: { message?: ComponentChildren }) {
  const { states } = t.value
  return (
    <Empty title={states.noRightTitle} isPage action={<HomeLink />}>
      {message && <p class="sentence">{message}</p>}
      <p>{states.noRightText}</p>
    </Empty>
  )
}

export function NotFound() {
  const { states } = t.value
  return (
    <Empty title={states.notFoundTitle} isPage action={<HomeLink />}>
      <p>{states.notFoundText}</p>
    </Empty>
  )
}

function HomeLink() {
  return (
    <a class="button" href={to.home()}>
      {t.value.states.home}
    </a>
  )
}

/** Grey lines where text will be, of the same height, so that nothing jumps. */
export function Skeleton({ rows = 3, height }: { rows?: number; height?: string }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="visually-hidden">{t.value.common.loading}</span>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} class="skeleton-row" style={height ? { height } : {}} />
      ))}
    </div>
  )
}

/** Older data is shown, and why there is no newer. Without a connection the top of the page says it. */
function Outdated({ of: { error, reload } }: { of: Resource<unknown> }) {
  const { states, common } = t.value
  if (error === undefined || isOfflineError(error)) {
    return null
  }
  return (
    <p class="banner banner-warn" role="status">
      {states.outdated(messageOf(error))}{' '}
      <button type="button" class="link" onClick={reload}>
        {common.retry}
      </button>
    </p>
  )
}

/** Something fetched, in each of its states. Older data is shown while newer is on its way. */
export function Loaded<T>({
  of,
  rows,
  height,
  children,
}: {
  of: Resource<T>
  rows?: number
  height?: string
  children: (data: T) => ComponentChildren
}) {
  if (of.data !== undefined) {
    return (
      <>
        <Outdated of={of} />
        {children(of.data)}
      </>
    )
  }
  if (of.error !== undefined) {
    return <Failure error={of.error} retry={of.reload} />
  }
  return <Skeleton {...(rows ? { rows } : {})} {...(height ? { height } : {})} />
}

/**
 * The error of the last attempt, next to its button. Where the fields that show their own errors say all of it, it is
 * only announced.
 */
export function FormError({ error, fields = [] }: { error: unknown; fields?: readonly string[] }) {
  const isShown = !isSaidBeside(error, fields)
  return (
    <div class="form-error" role="alert">
      {error !== undefined && (
        <p class={isShown ? 'sentence' : 'visually-hidden'}>
          <ErrorText error={error} />
        </p>
      )}
    </div>
  )
}
