import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary } from 'preact-iso/lazy'
import { useLocation } from 'preact-iso/router'
import { Failure } from '../ui/states.tsx'

/** A page that could not be drawn says so, and the navigation goes on working. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const error = useSignal<unknown>(undefined)
  const { path } = useLocation()
  useEffect(() => {
    error.value = undefined
  }, [path, error])
  if (error.value !== undefined) {
    return <Failure isPage error={error.value} retry={() => location.reload()} />
  }
  return (
    <ErrorBoundary
      onError={(reason) => {
        error.value = reason
      }}
    >
      {children}
    </ErrorBoundary>
  )
}
